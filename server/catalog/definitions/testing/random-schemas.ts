import fc from 'fast-check';
import { expect } from 'vitest';
import { findSchemaRefusals } from '../../testing/definition-rules';
import type { Json } from '../json';
import { toGeminiSchema } from '../to-gemini-schema';
import { toPlainSchema } from '../to-plain-schema';

const ANTHROPIC_NAME = /^[a-zA-Z0-9_.-]{1,64}$/;

/** Schemas of inputs as others write them, with references, unions and unusual names. */
const { input } = fc.letrec<{ schema: unknown; object: Json; input: Json }>((tie) => {
  const text = fc.constantFrom('a', 'b', '', 'long text');
  const described = {
    description: fc.option(text, { nil: undefined }),
    default: fc.option(fc.jsonValue({ maxDepth: 1 }), { nil: undefined }),
  };
  const names = fc.constantFrom('a', 'b_c', 'content-type', '$filter', 'x'.repeat(70), '1st', '');
  const properties = fc.dictionary(names, tie('schema'), { maxKeys: 3 });
  const required = fc.uniqueArray(names, { maxLength: 2 });
  const list = fc.array(tie('schema'), { minLength: 1, maxLength: 3 });
  const object = fc.record(
    {
      ...described,
      type: fc.constant('object'),
      properties,
      required,
      additionalProperties: tie('schema'),
      patternProperties: properties,
    },
    { requiredKeys: ['type'] },
  );
  return {
    object: object as fc.Arbitrary<Json>,
    schema: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.record(
        {
          ...described,
          type: fc.constantFrom('string', 'boolean', 'null', ['string', 'null'], ['integer', 'string']),
          format: fc.constantFrom('uri', 'date-time'),
        },
        { requiredKeys: ['type'] },
      ),
      fc.record(
        {
          type: fc.constantFrom('number', 'integer'),
          minimum: fc.integer(),
          exclusiveMaximum: fc.integer(),
          multipleOf: fc.constant(2),
        },
        { requiredKeys: ['type'] },
      ),
      fc.record(
        { ...described, enum: fc.array(fc.constantFrom('a', '', 1, null, true), { minLength: 1 }) },
        { requiredKeys: ['enum'] },
      ),
      fc.record({ const: fc.constantFrom('a', 1, null, true, [1]) }),
      fc.constantFrom<unknown>(true, false, {}, { $ref: '#' }, { $ref: '#/$defs/a' }, { $ref: '#/nowhere' }),
      fc.record(
        { type: fc.constant('array'), items: tie('schema'), prefixItems: list, minItems: fc.nat(3) },
        { requiredKeys: ['type'] },
      ),
      fc.record({ ...described, anyOf: list }),
      fc.record({ oneOf: list, allOf: list }, { requiredKeys: [] }),
      tie('object'),
    ),
    input: fc
      .tuple(
        tie('object') as fc.Arbitrary<Json>,
        fc.record(
          { anyOf: list, oneOf: list, allOf: list, $defs: fc.record({ a: tie('schema') }) },
          { requiredKeys: ['$defs'] },
        ),
      )
      .map(([one, more]) => JSON.parse(JSON.stringify({ ...one, ...more }))),
  };
});

/** Converts random schemas: each API takes the result, unless there is none. */
export function checkRandomSchemas(numRuns: number): void {
  let converted = 0;
  fc.assert(
    fc.property(input, (schema) => {
      const gemini = toGeminiSchema(schema);
      if (gemini) expect(findSchemaRefusals('gemini', gemini)).toEqual([]);
      expect(findSchemaRefusals('openai', toPlainSchema(schema, /^/))).toEqual([]);
      const anthropic = toPlainSchema(schema, ANTHROPIC_NAME);
      if (anthropic) expect(findSchemaRefusals('anthropic', anthropic)).toEqual([]);
      if (gemini && anthropic) converted++;
    }),
    { numRuns },
  );
  expect(converted).toBeGreaterThan(numRuns / 10);
}
