import { inspect } from 'node:util';
import { expect, it } from 'vitest';
import { CallCredential } from '../../catalog/credentials/call-credential';
import { redactAttempt } from './redact-attempt';

const KEY = 're_0123456789abcdef';
const credential = new CallCredential('resend', 'header', KEY);
const made = (output: Record<string, unknown>) =>
  redactAttempt({ ok: true, output, usage: undefined, latencyMs: 1 }, credential);

it('an output is left unchanged if the key only appears to start inside a JSON escape', () => {
  // As JSON: "\re_0123…", where the key seems to start inside the escape of a carriage return.
  const output = { text: `a\r${KEY.slice(1)}` };
  expect(made(output)).toMatchObject({ ok: true, output });
});

it('removes the key from strings and property names, also next to escapes', () => {
  const output = { text: `\r\n${KEY}\u2028"\\`, [KEY]: [{ deep: `\\${KEY}` }], same: 1.5 };
  expect(made(output)).toMatchObject({
    output: {
      text: '\r\n[provider key]\u2028"\\',
      '[provider key]': [{ deep: '\\[provider key]' }],
      same: 1.5,
    },
  });
});

it('removes the key from a failure, in the message and in the logged cause', () => {
  const cause = Object.assign(new TypeError(`refused ${KEY}`, { cause: new Error(`key=${KEY}`) }), {
    code: `E_${KEY}`,
  });
  const failed = {
    ok: false,
    code: 'HANDLER_ERROR',
    message: `bad key ${KEY}`,
    latencyMs: 1,
    cause,
  } as const;
  const made = redactAttempt(failed, credential);
  expect(made).toMatchObject({ ok: false, code: 'HANDLER_ERROR', message: 'bad key [provider key]' });
  expect(inspect(made, { depth: 10, showHidden: true })).not.toContain(KEY);
});
