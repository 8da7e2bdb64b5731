import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { z } from 'zod';
import { SkillError } from '../../core/errors/skill-error';
import type { OutboundFetch } from '../../platform/ports/outbound-fetch';
import { type AnySkill, defineSkill, perCall } from '../../tools/sdk/define-tool';
import { noServices } from '../../tools/sdk/no-services';
import { type AttemptOptions, attemptCall } from './attempt-call';
import { AttemptStop } from './attempt-stop';

type Run = AnySkill['run'];

const makeSkill = (run: Run): AnySkill =>
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
const attempt = (run: Run, rest: Partial<AttemptOptions> = {}) =>
  attemptCall(makeSkill(run), { input: {}, deadlineMs: 2000, services: noServices(), ...rest });
const proxy = (target: object) =>
  new Proxy(target, {
    get: () => explode(),
    has: () => explode(),
    ownKeys: () => explode(),
    getPrototypeOf: () => explode(),
  });
function explode(): never {
  throw new Error('password');
}

const unhandled: unknown[] = [];
const remember = (reason: unknown) => unhandled.push(reason);
beforeEach(() => {
  unhandled.length = 0;
  process.on('unhandledRejection', remember);
});
afterEach(async () => {
  await wait(5);
  process.off('unhandledRejection', remember);
  expect(unhandled).toEqual([]);
});

describe('a handler', () => {
  it('succeeds if its output matches its schema', async () => {
    expect(await attempt(async () => ({ output: { n: 1 } }))).toMatchObject({ ok: true, output: { n: 1 } });
  });

  it.each([
    ['an Error', new Error('connect postgres://user:password@db')],
    ['a string', 'password'],
    ['undefined', undefined],
    ['null', null],
    ['an object', { message: 'password' }],
    ['a symbol', Symbol('password')],
    ['a function', explode],
    ['a bigint', 1n],
    ['an error with getters that throw', Object.defineProperty(new Error(), 'message', { get: explode })],
    ['an error with a name that throws', Object.defineProperty(new Error(), 'name', { get: explode })],
    ['an error with a stack that throws', Object.defineProperty(new Error('x'), 'stack', { get: explode })],
    ['a proxy', proxy({})],
    ['a proxy of an error', proxy(new Error('password'))],
    ['a proxy of a SkillError', proxy(new SkillError('password'))],
    ['an error named SkillError', Object.assign(new Error('password'), { name: 'SkillError' })],
    ['an object like a SkillError', { name: 'SkillError', message: 'password' }],
    [
      'a SkillError with a message that is not a string',
      Object.assign(new SkillError(), { message: { password: 1 } }),
    ],
    [
      'a SkillError with a message that throws',
      Object.defineProperty(new SkillError(), 'message', { get: explode }),
    ],
    [
      'a value that throws when it is printed',
      { [Symbol.toStringTag]: 1, toString: explode, toJSON: explode },
    ],
  ])('that throws %s fails with a safe message, and a cause that can be logged', async (_, thrown) => {
    for (const run of [
      () => Promise.reject(thrown),
      () => {
        throw thrown;
      },
      // biome-ignore lint/suspicious/noThenProperty: a handler may return one
      () => ({ then: (_: unknown, reject: (reason: unknown) => void) => reject(thrown) }) as never,
    ]) {
      const result = await attempt(run);
      expect(result).toMatchObject({ ok: false, message: 'The tool failed.' });
      if (result.ok || !(result.cause instanceof Error)) throw new Error('The result has no cause');
      expect(JSON.stringify([result.cause.name, result.cause.message, result.cause.stack])).toBeTypeOf(
        'string',
      );
    }
  });

  it('passes on the message of a SkillError, truncated and storable', async () => {
    const result = await attempt(() => Promise.reject(new SkillError('width: Use at most 4096.')));
    expect(result).toMatchObject({ ok: false, message: 'width: Use at most 4096.' });
    const long = await attempt(() => Promise.reject(new SkillError(`\0${'💥'.repeat(1000)}\ud83d`)));
    if (long.ok) throw new Error('The attempt must fail');
    expect(long.message).toMatch(/^\uFFFD💥+\uFFFD$/u);
    expect(long.message.length).toBe(500);
  });

  it.each([
    ['nothing', undefined],
    ['no output', {}],
    ['a wrong type', { output: { n: 'one' } }],
    ['a number', { output: 5 }],
    ['NaN, which becomes null in JSON', { output: { n: Number.NaN } }],
    ['a result with a getter that throws', Object.defineProperty({}, 'output', { get: explode })],
    ['a proxy', proxy({})],
    ['usage that cannot be copied', { output: { n: 1 }, usage: { pages: explode } }],
    [
      'usage with a getter that throws',
      { output: { n: 1 }, usage: Object.defineProperty({}, 'n', { get: explode, enumerable: true }) },
    ],
    ['usage that is a proxy', { output: { n: 1 }, usage: proxy({}) }],
  ])('that returns %s fails', async (_, returned) => {
    expect(await attempt(async () => returned as never)).toMatchObject({ ok: false });
  });

  it('that returns a thenable is resolved once, whatever the thenable does later', async () => {
    const thenable = {
      // biome-ignore lint/suspicious/noThenProperty: a handler may return one
      then(resolve: (value: unknown) => void, reject: (reason: unknown) => void) {
        resolve({ output: { n: 1 } });
        resolve({ output: { n: 2 } });
        reject(new Error('late'));
        throw new Error('later');
      },
    };
    expect(await attempt(() => thenable as never)).toMatchObject({ ok: true, output: { n: 1 } });
  });
});

describe('the time of a handler', () => {
  it('ends at its deadline, or one second later if it ignores its signal @A5 @C12', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const ended: string[] = [];
    const start = (name: string, run: Run) =>
      attempt(run, { deadlineMs: 50 }).then((result) => {
        ended.push(name);
        return result;
      });
    const listening = start('listening', ({ signal }) => {
      return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    });
    const deaf = start('deaf', () => new Promise(() => {}));
    await vi.advanceTimersByTimeAsync(49);
    expect(ended).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(ended).toEqual(['listening']);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(ended).toEqual(['listening', 'deaf']);
    for (const result of await Promise.all([listening, deaf]))
      expect(result).toMatchObject({ ok: false, message: 'The tool did not finish within 0.05 seconds.' });
  });

  it('ends when the call is stopped through its signal', async () => {
    const stop = new AttemptStop();
    const result = attempt(
      ({ signal }) =>
        new Promise((_, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason));
          stop.stop(new Error('stopped'));
        }),
      { stop },
    );
    expect(await result).toMatchObject({
      ok: false,
      message: 'The call was stopped before the tool finished.',
    });
  });

  it('does not start for a call that is already stopped', async () => {
    let ran = false;
    const stop = new AttemptStop();
    stop.stop(new Error('stopped'));
    const result = await attempt(
      async () => {
        ran = true;
        return { output: { n: 1 } };
      },
      { stop },
    );
    expect([ran, result.ok]).toEqual([false, false]);
  });

  it('may end before the handler rejects: the late rejection is ignored', async () => {
    let rejectLate: (reason: Error) => void = () => {};
    const never = new Promise<never>((_, reject) => {
      rejectLate = reject;
    });
    const result = await attempt(() => never, { deadlineMs: 20 });
    expect(result).toMatchObject({ ok: false });
    rejectLate(new Error('late'));
  });

  it('aborts its requests too, also those made without its signal', async () => {
    let aborted = 0;
    const slow: OutboundFetch = (_, init) => {
      init?.stop?.onAbort(() => aborted++);
      return new Promise(() => {});
    };
    const own = new AbortController();
    await attempt(
      async ({ fetch: get }) => {
        void get('https://example.com');
        void get('https://example.com', { signal: own.signal });
        return { output: { n: 1 } };
      },
      { services: noServices({ fetch: slow }) },
    );
    expect(aborted).toBe(2);
  });
});

describe('logs and progress of a handler', () => {
  const heard = async (run: (context: Parameters<Run>[0]) => unknown) => {
    const lines: string[] = [];
    const fractions: number[] = [];
    const result = await attempt(
      async (context) => {
        await run(context);
        return { output: { n: 1 } };
      },
      { onLog: (line) => lines.push(line), onProgress: (fraction) => fractions.push(fraction) },
    );
    expect(result.ok).toBe(true);
    return { lines, fractions };
  };

  it('converts any value to a short string', async () => {
    const { lines } = await heard(({ log }) => {
      const said: unknown[] = [
        Symbol('s'),
        1n,
        null,
        undefined,
        {},
        { toString: explode },
        proxy({}),
        'a\0b',
      ];
      for (const message of said) log(message as string);
      log('x'.repeat(10_000));
    });
    const unreadable = '(A log line that is not text.)';
    expect(lines.slice(0, 8)).toEqual([
      'Symbol(s)',
      '1',
      'null',
      'undefined',
      '[object Object]',
      unreadable,
      unreadable,
      'a\uFFFDb',
    ]);
    expect(lines[8]?.length).toBe(2000);
  });

  it('stops after 1,000 lines, and one more line reports it', async () => {
    const { lines } = await heard(({ log }) => {
      for (let line = 1; line <= 5000; line += 1) log(`line ${line}`);
    });
    expect(lines.length).toBe(1001);
    expect(lines.slice(-2)).toEqual(['line 1000', 'Further lines are left out: there were more than 1000.']);
  });

  it('clamps progress to 0 to 1 and drops other values', async () => {
    const { fractions } = await heard(({ progress }) => {
      const said: unknown[] = [0.5, -1, 2, Number.NaN, Number.POSITIVE_INFINITY, '0.7', Symbol('x'), 1n];
      for (const fraction of [...said, { valueOf: explode }]) progress(fraction as number);
    });
    expect(fractions).toEqual([0.5, 0, 1]);
  });

  it('are dropped once the attempt has ended', async () => {
    let leftBehind: Parameters<Run>[0] | undefined;
    const { lines, fractions } = await heard((context) => {
      leftBehind = context;
    });
    leftBehind?.log('too late');
    leftBehind?.progress(1);
    expect([lines, fractions, leftBehind?.signal.aborted]).toEqual([[], [], true]);
  });
});
