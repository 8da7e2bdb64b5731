import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { omitNulls } from './omit-nulls';

const schema = z.object({
  text: z.string(),
  limit: z.number().default(5),
  mode: z.enum(['a', 'b']).optional(),
  note: z.string().nullable().optional(),
  any: z.unknown().optional(),
  terms: z.array(z.object({ term: z.string(), weight: z.number().optional() })).optional(),
  labels: z.record(z.string(), z.string()).optional(),
});

describe('omitNulls', () => {
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
    expect(omitNulls(schema, value)).toEqual({
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
    expect(omitNulls(schema, value)).toBe(value);
    for (const other of [null, 1, 'a', [null]]) expect(omitNulls(schema, other)).toBe(other);
  });
});
