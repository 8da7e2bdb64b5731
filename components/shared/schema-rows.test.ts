import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { schemaRows } from './schema-rows';

const schema = z.toJSONSchema(
  z.object({
    text: z.string().min(1).max(500).describe('What to read.'),
    lang: z.enum(['en', 'de']).default('en'),
    limit: z.number().int().min(1).max(10).optional(),
    count: z.int(),
    items: z.array(z.object({ name: z.string(), deep: z.object({ on: z.boolean().nullable() }) })),
  }),
  { io: 'input' },
);

describe('schemaRows', () => {
  const rows = schemaRows(schema);
  const row = (path: string) => rows.find((each) => each.path === path);

  it('lists nested fields below their parents, in order', () => {
    expect(rows.map((each) => each.path)).toEqual([
      'text',
      'lang',
      'limit',
      'count',
      'items',
      'items[].name',
      'items[].deep',
      'items[].deep.on',
    ]);
  });

  it('describes limits, defaults and enums', () => {
    expect(row('text')).toMatchObject({ type: 'string', required: true, rules: ['1 to 500 characters'] });
    expect(row('lang')).toMatchObject({ required: false, rules: ['default "en"'], values: ['"en"', '"de"'] });
    expect(row('limit')?.rules).toEqual(['1 to 10']);
    expect(row('count')?.rules).toEqual([]);
    expect(row('items')?.type).toBe('list of object');
    expect(row('items[].deep.on')?.type).toBe('boolean or null');
  });

  it('follows local references and tolerates invalid schemas', () => {
    expect(
      schemaRows({ $defs: { a: { type: 'string' } }, properties: { x: { $ref: '#/$defs/a' } } })[0]?.type,
    ).toBe('string');
    expect(schemaRows({ properties: { loop: { $ref: '#/properties/loop' } } })).toHaveLength(1);
    expect(schemaRows(null)).toEqual([]);
  });
});
