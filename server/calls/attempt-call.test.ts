import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type AnySkill, defineSkill, perCall, SkillError } from '../tools/define-tool';
import { attemptCall } from './attempt-call';

const skillOf = (run: AnySkill['run']): AnySkill =>
  defineSkill({
    name: 'probe',
    displayName: 'Probe',
    description: 'For tests',
    input: z.object({}),
    output: z.object({ n: z.number() }),
    returns: 'n',
    examples: [],
    price: perCall(1n),
    annotations: { readOnly: true, idempotent: true, destructive: false, estimatedSeconds: 1 },
    run,
  });
const attempt = (run: AnySkill['run'], deadlineMs = 2000, signal?: AbortSignal) =>
  attemptCall(skillOf(run), { input: {}, deadlineMs, signal, fetch, secret: () => undefined });

describe('a handler', () => {
  it('that returns what its schema says is a success', async () => {
    expect(await attempt(async () => ({ output: { n: 1 } }))).toMatchObject({ ok: true, output: { n: 1 } });
  });

  it.each([
    ['an Error', new Error('connect postgres://user:password@db')],
    ['a string', 'password'],
    ['undefined', undefined],
    ['null', null],
    ['an object', { message: 'password' }],
  ])('that throws %s fails with a safe message', async (_, thrown) => {
    const result = await attempt(async () => {
      throw thrown;
    });
    expect(result).toMatchObject({ ok: false, message: 'The tool failed.' });
  });

  it('may explain itself in a SkillError', async () => {
    const result = await attempt(async () => {
      throw new SkillError('width: Use at most 4096.');
    });
    expect(result).toMatchObject({ ok: false, message: 'width: Use at most 4096.' });
  });

  it.each([
    ['nothing', undefined],
    ['no output', {}],
    ['a wrong type', { output: { n: 'one' } }],
    ['a number', { output: 5 }],
  ])('that returns %s fails', async (_, returned) => {
    expect(await attempt(async () => returned as never)).toMatchObject({ ok: false });
  });

  it('that hangs is ended by its deadline, whether it listens to its signal or not', async () => {
    const started = Date.now();
    const deaf = await attempt(() => new Promise(() => {}), 50);
    expect(deaf).toMatchObject({ ok: false, message: 'The tool did not finish within 0.05 seconds.' });
    expect(Date.now() - started).toBeLessThan(5000);
  });

  it('sees its signal abort when the call is stopped', async () => {
    const controller = new AbortController();
    const result = attempt(
      ({ signal }) =>
        new Promise((_, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason));
          controller.abort(new Error('stopped'));
        }),
      2000,
      controller.signal,
    );
    expect(await result).toMatchObject({
      ok: false,
      message: 'The call was stopped before the tool finished.',
    });
  });
});
