import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { makeStrict, unknownField } from './strict-input';

it.each([
  ['query', ['q', 'limit'], 'Did you mean `q`?'],
  ['autoReloadAmmount', ['autoReloadAmount', 'autoReloadEnabled'], 'Did you mean `autoReloadAmount`?'],
  ['Name', ['name', 'credits'], 'Did you mean `name`?'],
  ['billing', ['tool', 'skill', 'input'], 'Known fields: `tool`, `skill`, `input`.'],
  ['x', [], 'No fields are accepted here.'],
])('rejects the unknown field %s among %j: %s', (field, known, hint) => {
  expect(unknownField(field, known)).toBe(`Unknown field \`${field}\`. ${hint}`);
});

describe('makeStrict', () => {
  const schema = makeStrict(
    z
      .object({
        terms: z
          .array(z.object({ text: z.string(), score: z.number().optional() }))
          .describe('What to find.'),
        options: z.object({ deep: z.boolean() }).nullable().default(null),
        labels: z.record(z.string(), z.string()).optional(),
        open: z.looseObject({ a: z.number() }).optional(),
      })
      .refine(({ terms }) => terms.length > 0, 'At least one term.'),
  );
  const terms = [{ text: 'a' }];

  it.each([
    [{ terms, term: 1 }, [], 'Unknown field `term`. Did you mean `terms`?'],
    [{ terms: [{ text: 'a', txt: 1 }] }, ['terms', 0], 'Unknown field `txt`. Did you mean `text`?'],
    [
      { terms, options: { deep: true, x: 1, y: 2 } },
      ['options'],
      'Unknown field `x`. Known fields: `deep`.\nUnknown field `y`. Known fields: `deep`.',
    ],
    [{ terms: [] }, [], 'At least one term.'],
  ])('refuses %j', (input, path, message) => {
    expect(schema.safeParse(input).error?.issues).toMatchObject([{ path, message }]);
  });

  it('keeps defaults, records, open objects and descriptions', () => {
    const input = { terms, labels: { any: 'x' }, open: { a: 1, b: 2 } };
    expect(schema.parse(input)).toEqual({ ...input, options: null });
    expect(z.toJSONSchema(schema, { io: 'input' })).toMatchObject({
      additionalProperties: false,
      properties: { terms: { description: 'What to find.', items: { additionalProperties: false } } },
    });
  });
});
