import { inspect } from 'node:util';
import { expect, it } from 'vitest';
import { CallCredential } from '../catalog/credentials/call-credential';
import { redactAttempt } from './redact-attempt';

const KEY = 're_0123456789abcdef';
const credential = new CallCredential('resend', 'header', KEY);
const made = (output: Record<string, unknown>) =>
  redactAttempt({ ok: true, output, usage: undefined, latencyMs: 1 }, credential);

it('an output whose JSON has the key behind an escape is left as it is: its call must be closed', () => {
  // As JSON: "\re_0123…", in which the key seems to begin inside of the escape of a carriage return.
  const output = { text: `a\r${KEY.slice(1)}` };
  expect(made(output)).toMatchObject({ ok: true, output });
});

it('the key goes out of texts and names, beside escapes too', () => {
  const output = { text: `\r\n${KEY}\u2028"\\`, [KEY]: [{ deep: `\\${KEY}` }], same: 1.5 };
  expect(made(output)).toMatchObject({
    output: {
      text: '\r\n[provider key]\u2028"\\',
      '[provider key]': [{ deep: '\\[provider key]' }],
      same: 1.5,
    },
  });
});

it('the key goes out of a failure: out of what callers read, and out of what is logged', () => {
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
