import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { computedMs } from '../testing/computed-ms';
import { defineSkill, free } from '../tools/sdk/define-tool';
import { noServices } from '../tools/sdk/no-services';
import { attemptCall } from './attempt-call';

/** A handler that returns whatever it likes, checked against a schema that takes any object. */
const returning = (output: unknown, usage?: unknown) =>
  attemptCall(
    defineSkill({
      name: 'probe',
      displayName: 'Probe',
      description: 'For tests',
      input: z.object({}),
      output: z.record(z.string(), z.unknown()),
      returns: 'anything',
      examples: [],
      price: free,
      annotations: { readOnly: true, idempotent: true, destructive: false, estimatedSeconds: 1 },
      run: async () => ({ output, usage }) as never,
    }),
    { input: {}, deadlineMs: 2000, services: noServices() },
  );

function explode(): never {
  throw new Error('password');
}

const proxy = (target: object) => new Proxy(target, { get: explode, has: explode, ownKeys: explode });

const cycle: Record<string, unknown> = {};
cycle.self = cycle;

describe('an output', () => {
  it.each([
    ['a cycle', cycle],
    ['a BigInt', { n: 1n }],
    ['a toJSON that throws', { n: { toJSON: explode } }],
    ['a getter that throws', Object.defineProperty({}, 'n', { get: explode, enumerable: true })],
    ['a proxy', { n: proxy({}) }],
    ['a list instead of an object', [1]],
    ['a list of millions', { list: new Array(5_000_000).fill(0) }],
    ['an empty list as long as they get', { list: new Array(2 ** 32 - 1) }],
    ['a text of 3 MiB', { text: 'x'.repeat(3 * 1024 * 1024) }],
    ['a text that is longer as JSON', { text: '\u0001'.repeat(500_000) }],
    ['a toJSON that makes it larger', { toJSON: () => ({ text: 'x'.repeat(3 * 1024 * 1024) }) }],
    ['bytes', { bytes: Buffer.alloc(3 * 1024 * 1024) }],
    ['nothing but a function', explode],
  ])('with %s fails the call, and soon', async (_, output) => {
    const ms = await computedMs(async () => expect(await returning(output)).toMatchObject({ ok: false }));
    expect(ms).toBeLessThan(1_000);
  });

  it('is refused when it is nested deeper than some JSON writers can follow', async () => {
    let deep: unknown = 1;
    for (let level = 0; level < 50_000; level += 1) deep = [deep];
    expect(await returning({ deep })).toMatchObject({
      ok: false,
      // From Node 26 on, JSON has no such limit: then it is ours.
      message: expect.stringMatching(/not JSON|nested deeper than 1000 levels/),
    });
  });

  it('is refused when it is so deep that its answer may not be written, after it was charged for', async () => {
    const nested = (levels: number): unknown => JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`);
    expect(await returning({ deep: nested(1_000) })).toMatchObject({ ok: true });
    for (const levels of [1_001, 3_000])
      expect(await returning({ deep: nested(levels) })).toMatchObject({
        ok: false,
        message: expect.stringContaining('deeper than 1000 levels'),
      });
  });

  it('is what JSON makes of it: no undefined, no date, no getter, and no key that is a prototype', async () => {
    const parsed = JSON.parse('{"__proto__":{"admin":true},"constructor":1}');
    const result = await returning({ a: undefined, b: new Date(0), c: [undefined, Number.NaN], parsed });
    if (!result.ok) throw new Error(result.message);
    expect(JSON.stringify(result.output)).toBe(
      '{"b":"1970-01-01T00:00:00.000Z","c":[null,null],"parsed":{"__proto__":{"admin":true},"constructor":1}}',
    );
    expect(({} as { admin?: boolean }).admin).toBeUndefined();
  });

  it('cannot be changed by its handler any more', async () => {
    const output = { n: 1 };
    const result = await returning(output, output);
    output.n = 2;
    expect(result).toMatchObject({ ok: true, output: { n: 1 }, usage: { n: 1 } });
  });
});
