import { describe, expect, it, vi } from 'vitest';
import { OutOfTime, withinComputedTime, withinTime } from '../../kit/within-time';
import { computedMs } from '../../testing/computed-ms';
import type { JsonSchema } from '../../tools/sdk/define-tool';
import { checkSchema } from './check-schema';
import { findSchemaProblem, zodOf } from './validate-json';

const LIMIT_MS = 1_000;
/** For work that is to be done, however slow the machine is: it is a limit of the clock. */
const LONG_MS = 60_000;
const schemaOf = (properties: object, more: object = {}): JsonSchema => ({
  type: 'object',
  properties,
  ...more,
});
const problems = (schema: JsonSchema, value: unknown) =>
  zodOf(schema)
    .safeParse(value)
    .error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);

describe("a stranger's JSON Schema as the schema of a skill", () => {
  it('tells every wrong field in its place', () => {
    const schema = schemaOf(
      { n: { type: 'integer' }, list: { type: 'array', items: { enum: ['a', 'b'] } } },
      { required: ['n', 'm'], additionalProperties: false },
    );
    expect(problems(schema, { n: 'x', list: ['a', 'c'], z: 1 })).toEqual(
      expect.arrayContaining([
        'm: Is required.',
        'n: Must be integer.',
        'list.1: Must be one of "a", "b".',
        'z: Is not known here.',
      ]),
    );
  });

  it('is refused where it is asynchronous at any level, and lets no wrong value pass', () => {
    const root = schemaOf({ a: { type: 'number' } }, { $async: true });
    const nested = schemaOf({ a: { $ref: '#/$defs/b' } }, { $defs: { b: { $async: true, type: 'number' } } });
    expect(findSchemaProblem(root)).toBe('/$async is not available.');
    expect(findSchemaProblem(nested)).toBe('/$defs/b/$async is not available.');
    expect(() => zodOf(root).safeParse({ a: 'x' })).toThrow('/$async is not available.');
    expect(findSchemaProblem(schemaOf({ $async: { type: 'number' } }))).toBeNull();
  });

  it('changes nothing of a value that fits, and knows no inherited names', () => {
    const schema = schemaOf({ a: { type: 'string', default: 'x' }, constructor: { type: 'string' } });
    const value = { b: 1 };
    expect(zodOf(schema).parse(value)).toBe(value);
  });

  it('reads older drafts as they are meant', () => {
    const tuple = schemaOf(
      { pair: { type: 'array', items: [{ type: 'string' }, { type: 'number' }] } },
      { $schema: 'http://json-schema.org/draft-07/schema#' },
    );
    expect(problems(tuple, { pair: ['a', 'b'] })).toEqual(['pair.1: Must be number.']);
  });

  it.each([
    ['a pattern that never ends', schemaOf({ s: { pattern: '^(a+)+$' } }), { s: `${'a'.repeat(60)}!` }],
    [
      'lists compared with themselves',
      schemaOf({ l: { uniqueItems: true } }),
      { l: Array.from({ length: 20_000 }, (_, i) => ({ i })) },
    ],
    [
      'references that double at every level',
      schemaOf(
        { x: { $ref: '#/$defs/d0' } },
        {
          $defs: Object.fromEntries(
            Array.from({ length: 40 }, (_, i) => [
              `d${i}`,
              i === 39 ? false : { anyOf: [{ $ref: `#/$defs/d${i + 1}` }, { $ref: `#/$defs/d${i + 1}` }] },
            ]),
          ),
        },
      ),
      { x: 1 },
    ],
  ])('is given up on in time: %s', async (_what, schema, value) => {
    const ms = await computedMs(() =>
      expect(problems(schema, value)).toEqual([
        ': Is too large or too deep to be checked against its schema.',
      ]),
    );
    expect(ms).toBeLessThan(LIMIT_MS);
  });

  it('survives a value as deep as its schema allows', () => {
    const schema = schemaOf({ child: { $ref: '#' } });
    let value = {};
    for (let i = 0; i < 50_000; i++) value = { child: value };
    expect(problems(schema, value)).toEqual([': Is too large or too deep to be checked against its schema.']);
  });

  it.each<[string, () => unknown, string]>([
    [
      'a reference to elsewhere',
      () => ({ properties: { a: { $ref: 'https://evil.test/s.json' } } }),
      'inside the document only',
    ],
    ['a prototype', () => JSON.parse('{"properties":{"__proto__":{"type":"string"}}}'), '__proto__'],
    ['a list', () => ({ type: 'array' }), 'does not describe an object'],
    ['a long one', () => ({ description: 'x'.repeat(200_000) }), 'larger than'],
    ['a wide one', () => ({ enum: Array.from({ length: 9_000 }, (_, i) => [i]) }), 'more than'],
    ['a deep one', () => JSON.parse(`{"not":${'{"not":'.repeat(100)}{}${'}'.repeat(100)}}`), 'deeper than'],
    ['a text', () => 'no schema', 'is no object'],
  ])('%s is refused', (_what, schema, words) => {
    const checked = checkSchema(schema(), 'input');
    expect(checked).toMatchObject({ ok: false, reason: expect.stringContaining(words) });
  });

  it('is refused where it is none, before anybody calls', () => {
    expect(findSchemaProblem(schemaOf({ a: { type: 'nonsense' } }))).toContain('type');
    expect(findSchemaProblem(schemaOf({ a: { $ref: '#/$defs/none' } }))).toContain('none');
    expect(findSchemaProblem(schemaOf({ a: { type: 'string', format: 'unheard-of' } }))).toBeNull();
  });

  it('is compiled again where the machine was busy while it was compiled', () => {
    let waited = false;
    const field = () => {
      // Another program has the processor for longer than a schema may take to compile.
      if (!waited && new Error().stack?.includes('node_modules/ajv/')) {
        waited = true;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2_500);
      }
      return { type: 'number' };
    };
    const schema = schemaOf(Object.defineProperty({}, 'a', { get: field, enumerable: true }));
    expect(problems(schema, { a: 'x' })).toEqual(['a: Must be number.']);
    expect(waited).toBe(true);
  });
});

describe('work within a time', () => {
  it('is ended when that is over, also inside itself', () => {
    expect(withinTime(LONG_MS, () => 1)).toBe(1);
    expect(() =>
      withinTime(20, () => {
        for (;;);
      }),
    ).toThrow(OutOfTime);
    expect(() =>
      withinTime(LONG_MS, () => {
        throw new RangeError('x');
      }),
    ).toThrow(RangeError);
    expect(withinTime(LONG_MS, () => withinTime(LONG_MS, () => 2))).toBe(2);
  });

  it('is tried again where others had the processor meanwhile, and not for ever', () => {
    const usage = vi.spyOn(process, 'cpuUsage').mockReturnValue({ user: 0, system: 0 });
    let tries = 0;
    const endlessUntil = (last: number) => () => {
      tries += 1;
      while (tries < last);
      return tries;
    };
    try {
      expect(withinComputedTime(200, endlessUntil(2))).toBe(2);
      const endless = endlessUntil(Number.POSITIVE_INFINITY);
      usage.mockClear();
      expect(() => withinComputedTime(5, endless)).toThrow(OutOfTime);
      // Read before and after each try.
      expect(usage).toHaveBeenCalledTimes(2 * 4);
      usage
        .mockClear()
        .mockReturnValueOnce({ user: 0, system: 0 })
        .mockReturnValue({ user: 50_000, system: 0 });
      expect(() => withinComputedTime(5, endless)).toThrow(OutOfTime);
      expect(usage).toHaveBeenCalledTimes(2);
    } finally {
      usage.mockRestore();
    }
  });
});
