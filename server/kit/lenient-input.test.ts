import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { acceptJsonText, readLeniently } from './lenient-input';

const schema = z.object({
  text: z.string(),
  limit: z.number().default(5),
  mode: z.enum(['a', 'b']).optional(),
  note: z.string().nullable().optional(),
  any: z.unknown().optional(),
  terms: z.array(z.object({ term: z.string(), weight: z.number().optional() })).optional(),
  labels: z.record(z.string(), z.string()).optional(),
});

describe('readLeniently', () => {
  it('removes null where a field may be absent, and nowhere else', () => {
    const value = {
      text: null,
      limit: null,
      mode: null,
      note: null,
      any: null,
      terms: [{ term: 'x', weight: null }, { term: null }],
      labels: { a: null },
      unknown: null,
    };
    expect(readLeniently(schema, value)).toEqual({
      text: null,
      note: null,
      any: null,
      terms: [{ term: 'x' }, { term: null }],
      labels: { a: null },
      unknown: null,
    });
  });

  it('returns the same value if nothing changes', () => {
    const value = JSON.parse('{"text":"a","terms":[{"term":"x"}],"__proto__":null}');
    expect(readLeniently(schema, value)).toBe(value);
    for (const other of [null, 1, 'a', [null]]) expect(readLeniently(schema, other)).toBe(other);
  });

  it.each([
    ['{"a":[1,{"b":null}]}', { a: [1, { b: null }] }],
    ['{"a":0.1,"b":1e3}', { a: 0.1, b: 1000 }],
    ['{"a":725653563933458433}', undefined],
    [`{"a":"${'x'.repeat(20_000)}","b":1234567890123456}`, undefined],
    ['[1]', undefined],
    ['null', undefined],
    ['{"a":', undefined],
    ['a', undefined],
    [`{"a":${'['.repeat(2_000)}${']'.repeat(2_000)}}`, undefined],
  ])('parses the JSON text of an object where the schema accepts it: %.30s', (text, parsed) => {
    const body = z.object({ input: acceptJsonText(z.record(z.string(), z.unknown())), text: z.string() });
    const calls = z.object({ calls: z.array(body.pick({ input: true })) });
    const value = { input: text, text };
    expect(readLeniently(body, value)).toEqual({ input: parsed ?? text, text });
    expect(readLeniently(calls, { calls: [{ input: text }] })).toEqual({
      calls: [{ input: parsed ?? text }],
    });
  });

  it('does not look into a list that is too long to be accepted', () => {
    const list = z.array(z.object({ a: z.string().optional() })).max(2);
    expect(readLeniently(list, [{ a: null }])).toEqual([{}]);
    const long = [{ a: null }, { a: null }, { a: null }];
    expect(readLeniently(list, long)).toBe(long);
  });

  it('limits what the texts of one body have together', () => {
    const calls = z.array(z.object({ input: acceptJsonText(z.record(z.string(), z.unknown())) }));
    const input = `{"a":[${Array(8_000).fill('[]').join(',')}]}`;
    const read = readLeniently(calls, [{ input }, { input }, { input }]) as { input: unknown }[];
    expect(read.map((call) => typeof call.input)).toEqual(['object', 'object', 'string']);
  });
});
