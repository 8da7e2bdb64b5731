import { describe, expect, it, vi } from 'vitest';
import { measureLeastBlock } from '@/test/support/measure-block';
import type { JsonSchema } from '../../tools/sdk/define-tool';
import { checkSchema } from './check-schema';
import { compileSchema } from './schema-check.mjs';
import { findSchemaProblem, validateJson } from './validate-json';
import { TimeLimitError, withCpuTimeout, withTimeout } from './with-timeout.mjs';

const MAX_BLOCK_MS = 50;
/** A limit for work that must finish even on a slow machine. */
const LONG_MS = 60_000;
const buildSchema = (properties: object, more: object = {}): JsonSchema => ({
  type: 'object',
  properties,
  ...more,
});
const getSignal = () => new AbortController().signal;
const problems = async (given: JsonSchema, value: unknown) => {
  const { schema, further } = validateJson(given);
  const first = schema.safeParse(value);
  const issues = first.success ? await further(value, getSignal) : first.error.issues;
  return issues.length === 0 ? undefined : issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
};

describe('an untrusted JSON Schema as the schema of a skill', () => {
  it('reports every invalid field with its path', async () => {
    const schema = buildSchema(
      { n: { type: 'integer' }, list: { type: 'array', items: { enum: ['a', 'b'] } } },
      { required: ['n', 'm'], additionalProperties: false },
    );
    expect(await problems(schema, { n: 'x', list: ['a', 'c'], z: 1 })).toEqual(
      expect.arrayContaining([
        'm: Is required.',
        'n: Must be integer.',
        'list.1: Must be one of "a", "b".',
        'z: Is not a known property.',
      ]),
    );
  });

  it('is refused if it is asynchronous at any level, and accepts no invalid value', async () => {
    const root = buildSchema({ a: { type: 'number' } }, { $async: true });
    const nested = buildSchema(
      { a: { $ref: '#/$defs/b' } },
      { $defs: { b: { $async: true, type: 'number' } } },
    );
    expect(await findSchemaProblem(root)).toBe('/$async is not supported.');
    expect(await findSchemaProblem(nested)).toBe('/$defs/b/$async is not supported.');
    expect(() => compileSchema(root)).toThrow('/$async is not supported.');
    expect(await findSchemaProblem(buildSchema({ $async: { type: 'number' } }))).toBeNull();
  });

  it('does not change a valid value, and ignores inherited names', () => {
    const schema = buildSchema({ a: { type: 'string', default: 'x' }, constructor: { type: 'string' } });
    const value = { b: 1 };
    expect(validateJson(schema).schema.parse(value)).toBe(value);
  });

  it('supports older drafts', async () => {
    const tuple = buildSchema(
      { pair: { type: 'array', items: [{ type: 'string' }, { type: 'number' }] } },
      { $schema: 'http://json-schema.org/draft-07/schema#' },
    );
    expect(await problems(tuple, { pair: ['a', 'b'] })).toEqual(['pair.1: Must be number.']);
  });

  it.each([
    ['a pattern that never ends', buildSchema({ s: { pattern: '^(a+)+$' } }), { s: `${'a'.repeat(60)}!` }],
    [
      'lists compared with themselves',
      buildSchema({ l: { uniqueItems: true } }),
      { l: Array.from({ length: 20_000 }, (_, i) => ({ i })) },
    ],
    [
      'references that double at every level',
      buildSchema(
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
    [
      'hundreds of alternatives for one long text',
      buildSchema({ s: { anyOf: Array(240).fill({ minLength: 9e7 }) } }),
      { s: 'x'.repeat(1_000_000) },
    ],
    [
      'hundreds of alternatives for each item of a list',
      buildSchema({ l: { items: { anyOf: Array(240).fill({ type: 'number' }) } } }),
      { l: Array(990).fill('x') },
    ],
  ])('is stopped by the time limit, and blocks no other call: %s @C13 @E26', async (_what, schema, value) => {
    let found: unknown;
    const block = await measureLeastBlock(MAX_BLOCK_MS, 3, async () => {
      found = await Promise.all(Array.from({ length: 3 }, () => problems(schema, value)));
    });
    expect(found).toEqual(Array(3).fill([': Is too large or too deeply nested to validate.']));
    expect(block).toBeLessThan(MAX_BLOCK_MS);
  });

  it.each<[string, JsonSchema, unknown]>([
    ['compiled', buildSchema({ a: { oneOf: Array(900).fill({}) } }), { a: 1 }],
    [
      'applied to a long text',
      buildSchema({ a: { allOf: Array(16).fill({ maxLength: 9e7 }) } }),
      { a: 'x'.repeat(1_500_000) },
    ],
  ])('blocks no other call while it is %s @C13', async (_what, schema, value) => {
    const block = await measureLeastBlock(MAX_BLOCK_MS, 3, () => problems(schema, value));
    expect(block).toBeLessThan(MAX_BLOCK_MS);
  });

  it('rejects a value that overflows the stack', async () => {
    const schema = buildSchema({ child: { $ref: '#' } });
    let value = {};
    for (let i = 0; i < 50_000; i++) value = { child: value };
    expect(await problems(schema, value)).toEqual([': Is too large or too deeply nested to validate.']);
  });

  it.each<[string, () => unknown, string]>([
    [
      'an external reference',
      () => ({ properties: { a: { $ref: 'https://evil.test/s.json' } } }),
      'only references within the document',
    ],
    ['a prototype', () => JSON.parse('{"properties":{"__proto__":{"type":"string"}}}'), '__proto__'],
    ['a list', () => ({ type: 'array' }), 'does not describe an object'],
    ['a long one', () => ({ description: 'x'.repeat(200_000) }), 'larger than'],
    ['a wide one', () => ({ enum: Array.from({ length: 9_000 }, (_, i) => [i]) }), 'more than'],
    ['a deep one', () => JSON.parse(`{"not":${'{"not":'.repeat(100)}{}${'}'.repeat(100)}}`), 'deeper than'],
    ['a text', () => 'no schema', 'is not an object'],
    ['a list of numbers', () => ({ enum: Array(200_000).fill(1) }), 'larger than'],
    ['hidden text', () => ({ description: 'Adds.\u{e0049}\u{e0067}' }), 'hide text'],
  ])('%s is refused @C13', (_what, schema, words) => {
    const checked = checkSchema(schema(), 'input');
    expect(checked).toMatchObject({ ok: false, reason: expect.stringContaining(words) });
  });

  it('is refused before the first call if it is invalid', async () => {
    expect(await findSchemaProblem(buildSchema({ a: { type: 'nonsense' } }))).toContain('type');
    expect(await findSchemaProblem(buildSchema({ a: { $ref: '#/$defs/none' } }))).toContain('none');
    expect(await findSchemaProblem(buildSchema({ a: { type: 'string', format: 'unheard-of' } }))).toBeNull();
  });
});

describe('a time limit', () => {
  it('ends work that exceeds it, also when nested', () => {
    expect(withTimeout(LONG_MS, () => 1)).toBe(1);
    expect(() =>
      withTimeout(20, () => {
        for (;;);
      }),
    ).toThrow(TimeLimitError);
    expect(() =>
      withTimeout(LONG_MS, () => {
        throw new RangeError('x');
      }),
    ).toThrow(RangeError);
    expect(withTimeout(LONG_MS, () => withTimeout(LONG_MS, () => 2))).toBe(2);
  });

  it('retries if other processes used the CPU, a limited number of times', () => {
    const usage = vi.spyOn(process, 'cpuUsage').mockReturnValue({ user: 0, system: 0 });
    let tries = 0;
    const endlessUntil = (last: number) => () => {
      tries += 1;
      while (tries < last);
      return tries;
    };
    try {
      expect(withCpuTimeout(200, endlessUntil(2))).toBe(2);
      const endless = endlessUntil(Number.POSITIVE_INFINITY);
      usage.mockClear();
      expect(() => withCpuTimeout(5, endless)).toThrow(TimeLimitError);
      // Once before and once after each try.
      expect(usage).toHaveBeenCalledTimes(2 * 4);
      usage
        .mockClear()
        .mockReturnValueOnce({ user: 0, system: 0 })
        .mockReturnValue({ user: 50_000, system: 0 });
      expect(() => withCpuTimeout(5, endless)).toThrow(TimeLimitError);
      expect(usage).toHaveBeenCalledTimes(2);
    } finally {
      usage.mockRestore();
    }
  });
});
