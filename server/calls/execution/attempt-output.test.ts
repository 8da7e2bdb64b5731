import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { measureCpuMs } from '@/test/support/measure-cpu-ms';
import { defineSkill, free } from '../../tools/sdk/define-tool';
import { noServices } from '../../tools/sdk/no-services';
import { attemptCall } from './attempt-call';

/** An attempt with a handler that returns the value, under a schema that accepts any object. */
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

/** Objects of `each` fields, all with different names, with names that look like numbers. */
function withNames(count: number, each: number): object {
  const list = Array.from({ length: count / each }, (_, at) =>
    Object.fromEntries(Array.from({ length: each }, (_, field) => [(at * each + field).toString(36), 0])),
  );
  return { list };
}

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
    ['an empty list of maximum length', { list: new Array(2 ** 32 - 1) }],
    ['a text of 3 MiB', { text: 'x'.repeat(3 * 1024 * 1024) }],
    ['a text that is larger as JSON', { text: '\u0001'.repeat(500_000) }],
    ['a toJSON that makes it larger', { toJSON: () => ({ text: 'x'.repeat(3 * 1024 * 1024) }) }],
    ['bytes', { bytes: Buffer.alloc(3 * 1024 * 1024) }],
    ['nothing but a function', explode],
    ['too many names in one object', withNames(5_001, 5_001)],
    ['too many names in small objects', withNames(5_001, 1)],
  ])('with %s fails the call quickly @E22', async (_, output) => {
    const ms = await measureCpuMs(async () => expect(await returning(output)).toMatchObject({ ok: false }));
    expect(ms).toBeLessThan(1_000);
  });

  it('is refused if it is nested too deeply for some JSON writers', async () => {
    let deep: unknown = 1;
    for (let level = 0; level < 50_000; level += 1) deep = [deep];
    expect(await returning({ deep })).toMatchObject({
      ok: false,
      // From Node 26 on, JSON has no depth limit: then ours applies.
      message: expect.stringMatching(/not JSON|nested deeper than 1000 levels/),
    });
  });

  it('is refused before the charge if it is too deep to be written as a response', async () => {
    const nested = (levels: number): unknown => JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`);
    expect(await returning({ deep: nested(1_000) })).toMatchObject({ ok: true });
    for (const levels of [1_001, 3_000])
      expect(await returning({ deep: nested(levels) })).toMatchObject({
        ok: false,
        message: expect.stringContaining('deeper than 1000 levels'),
      });
  });

  it('is converted through JSON: no undefined, no dates, no getters, and no prototype pollution', async () => {
    const parsed = JSON.parse('{"__proto__":{"admin":true},"constructor":1}');
    const result = await returning({ a: undefined, b: new Date(0), c: [undefined, Number.NaN], parsed });
    if (!result.ok) throw new Error(result.message);
    expect(JSON.stringify(result.output)).toBe(
      '{"b":"1970-01-01T00:00:00.000Z","c":[null,null],"parsed":{"__proto__":{"admin":true},"constructor":1}}',
    );
    expect(({} as { admin?: boolean }).admin).toBeUndefined();
  });

  it('cannot be changed by its handler afterwards', async () => {
    const output = { n: 1 };
    const result = await returning(output, output);
    output.n = 2;
    expect(result).toMatchObject({ ok: true, output: { n: 1 }, usage: { n: 1 } });
  });
});
