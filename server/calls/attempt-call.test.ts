import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { z } from 'zod';
import { SkillError } from '../core/errors/skill-error';
import { type AnySkill, defineSkill, perCall } from '../tools/sdk/define-tool';
import { noServices } from '../tools/sdk/no-services';
import { type AttemptOptions, attemptCall } from './attempt-call';

type Run = AnySkill['run'];

const skillOf = (run: Run): AnySkill =>
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
  attemptCall(skillOf(run), { input: {}, deadlineMs: 2000, services: noServices(), ...rest });
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
  it('that returns what its schema says is a success', async () => {
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
    ['an error whose getters throw', Object.defineProperty(new Error(), 'message', { get: explode })],
    ['an error whose name throws', Object.defineProperty(new Error(), 'name', { get: explode })],
    ['an error whose stack throws', Object.defineProperty(new Error('x'), 'stack', { get: explode })],
    ['a proxy', proxy({})],
    ['a proxy of an error', proxy(new Error('password'))],
    ['a proxy of a SkillError', proxy(new SkillError('password'))],
    ['an error of the name SkillError', Object.assign(new Error('password'), { name: 'SkillError' })],
    ['an object like a SkillError', { name: 'SkillError', message: 'password' }],
    ['a SkillError whose message is no text', Object.assign(new SkillError(), { message: { password: 1 } })],
    [
      'a SkillError whose message throws',
      Object.defineProperty(new SkillError(), 'message', { get: explode }),
    ],
    ['what throws when it is printed', { [Symbol.toStringTag]: 1, toString: explode, toJSON: explode }],
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
      if (result.ok || !(result.cause instanceof Error)) throw new Error('There is no cause');
      expect(JSON.stringify([result.cause.name, result.cause.message, result.cause.stack])).toBeTypeOf(
        'string',
      );
    }
  });

  it('may explain itself in a SkillError', async () => {
    const result = await attempt(() => Promise.reject(new SkillError('width: Use at most 4096.')));
    expect(result).toMatchObject({ ok: false, message: 'width: Use at most 4096.' });
    const long = await attempt(() => Promise.reject(new SkillError(`\0${'💥'.repeat(1000)}\ud83d`)));
    if (long.ok) throw new Error('It failed');
    expect(long.message).toMatch(/^\uFFFD💥+\uFFFD$/u);
    expect(long.message.length).toBe(500);
  });

  it.each([
    ['nothing', undefined],
    ['no output', {}],
    ['a wrong type', { output: { n: 'one' } }],
    ['a number', { output: 5 }],
    ['NaN, which is null as JSON', { output: { n: Number.NaN } }],
    ['a result whose getter throws', Object.defineProperty({}, 'output', { get: explode })],
    ['a proxy', proxy({})],
    ['usage that cannot be copied', { output: { n: 1 }, usage: { pages: explode } }],
    [
      'usage whose getter throws',
      { output: { n: 1 }, usage: Object.defineProperty({}, 'n', { get: explode, enumerable: true }) },
    ],
    ['usage that is a proxy', { output: { n: 1 }, usage: proxy({}) }],
  ])('that returns %s fails', async (_, returned) => {
    expect(await attempt(async () => returned as never)).toMatchObject({ ok: false });
  });

  it('sees its thenable used once, whatever it does later', async () => {
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
  it('ends at its deadline, a second later where it does not listen to its signal', async () => {
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

  it('ends when the call is stopped, as its signal says', async () => {
    const controller = new AbortController();
    const result = attempt(
      ({ signal }) =>
        new Promise((_, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason));
          controller.abort(new Error('stopped'));
        }),
      { signal: controller.signal },
    );
    expect(await result).toMatchObject({
      ok: false,
      message: 'The call was stopped before the tool finished.',
    });
  });

  it('does not begin for a call that was stopped before', async () => {
    let ran = false;
    const result = await attempt(
      async () => {
        ran = true;
        return { output: { n: 1 } };
      },
      { signal: AbortSignal.abort() },
    );
    expect([ran, result.ok]).toEqual([false, false]);
  });

  it('may be over long before it rejects: nobody is left to hear it, and nothing breaks', async () => {
    let rejectLate: (reason: Error) => void = () => {};
    const never = new Promise<never>((_, reject) => {
      rejectLate = reject;
    });
    const result = await attempt(() => never, { deadlineMs: 20 });
    expect(result).toMatchObject({ ok: false });
    rejectLate(new Error('late'));
  });

  it('ends its requests too, also those made without its signal', async () => {
    const signals: (AbortSignal | null | undefined)[] = [];
    const slow: typeof fetch = (_, init) => {
      signals.push(init?.signal);
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
    expect(signals.map((signal) => signal?.aborted)).toEqual([true, true]);
  });
});

describe('what a handler says', () => {
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

  it('is made a short text, whatever it is', async () => {
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
    const unreadable = '(A line that is no text.)';
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

  it('is cut off after a thousand lines, which one more line says', async () => {
    const { lines } = await heard(({ log }) => {
      for (let line = 1; line <= 5000; line += 1) log(`line ${line}`);
    });
    expect(lines.length).toBe(1001);
    expect(lines.slice(-2)).toEqual(['line 1000', 'Further lines are left out: there were more than 1000.']);
  });

  it('is a fraction from 0 to 1, or is not passed on', async () => {
    const { fractions } = await heard(({ progress }) => {
      const said: unknown[] = [0.5, -1, 2, Number.NaN, Number.POSITIVE_INFINITY, '0.7', Symbol('x'), 1n];
      for (const fraction of [...said, { valueOf: explode }]) progress(fraction as number);
    });
    expect(fractions).toEqual([0.5, 0, 1]);
  });

  it('is dropped once its attempt is over', async () => {
    let leftBehind: Parameters<Run>[0] | undefined;
    const { lines, fractions } = await heard((context) => {
      leftBehind = context;
    });
    leftBehind?.log('too late');
    leftBehind?.progress(1);
    expect([lines, fractions, leftBehind?.signal.aborted]).toEqual([[], [], true]);
  });
});
