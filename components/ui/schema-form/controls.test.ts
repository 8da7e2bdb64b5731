import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chooseControl, readControlValue, readNumber, withField } from './controls';
import { fieldPaths, placeProblems } from './field-paths';

type Schema = Record<string, unknown>;
const name = fc.oneof(fc.constantFrom('a', 'b', 'c', '__proto__', 'a.b', ''), fc.string({ maxLength: 5 }));

const { schema } = fc.letrec<{ schema: Schema }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.record({ type: fc.constantFrom('string', 'number', 'integer', 'boolean', 'null', 'what') }),
    fc.record({ type: fc.constantFrom(['number', 'null'], ['string', 'boolean'], []) }),
    fc.record({
      type: fc.constant('string'),
      maxLength: fc.nat(500),
      pattern: fc.constantFrom('^a', '(', ''),
    }),
    fc.constant({ type: 'string', format: 'uri-reference', contentMediaType: 'image/*' }),
    fc.record({ enum: fc.array(fc.jsonValue({ maxDepth: 1 }), { maxLength: 4 }) }),
    fc.record({ const: fc.jsonValue({ maxDepth: 1 }) }),
    fc.record({ type: fc.constant('array'), items: tie('schema') }),
    fc.record({ type: fc.constant('array'), prefixItems: fc.array(tie('schema'), { maxLength: 2 }) }),
    fc.record({
      type: fc.constant('object'),
      properties: fc.dictionary(name, tie('schema'), { maxKeys: 4 }),
      required: fc.array(name, { maxLength: 3 }),
    }),
    fc.record({ type: fc.constant('object'), additionalProperties: tie('schema') }),
    fc.record({ anyOf: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ oneOf: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }), description: fc.string() }),
    fc.constantFrom({ $ref: '#' }, { $ref: '#/nowhere' }, { $ref: 'https://elsewhere.example/x' }, {}),
  ),
}));

/** Values of every shape, often close to what a schema accepts. */
const value = fc.oneof(
  fc.jsonValue({ maxDepth: 4 }),
  fc.dictionary(name, fc.jsonValue({ maxDepth: 2 }), { maxKeys: 4 }),
  fc.constantFrom('12', '1e', '', ' 1', '0x1', 1e21, -0.5, 5e-324, 'line\nbreak', null, [], {}),
);
const plain = (json: unknown) => JSON.parse(JSON.stringify(json));

describe('the controls of a schema', () => {
  it('represent every value without loss, whether it matches the schema or not', () => {
    fc.assert(
      fc.property(schema, value, (root, raw) => {
        const json = plain(raw);
        expect(readControlValue(root, chooseControl(root, root, json).control)).toEqual(json);
      }),
      { numRuns: 2_000 },
    );
  });

  it('represent a missing value as missing', () => {
    fc.assert(
      fc.property(schema, (root) => {
        expect(readControlValue(root, chooseControl(root, root, undefined).control)).toBeUndefined();
      }),
    );
  });

  it('read numbers as JSON does, and keep text that is not a number', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (number) => {
        expect(readNumber(String(number))).toBe(number + 0);
      }),
    );
    for (const text of [
      '',
      '1e',
      '-',
      '0x10',
      '1e999',
      'NaN',
      'Infinity',
      '1 2',
      '१',
      '725653563933458433',
      '.12345678901234567891',
    ])
      expect(readNumber(text)).toBe(text);
  });

  it('change one field and keep the order of the others', () => {
    const fields = JSON.parse('{"b":1,"__proto__":2,"a":3}');
    expect(Object.keys(withField(fields, '__proto__', 5))).toEqual(['b', '__proto__', 'a']);
    expect(Object.keys(withField(fields, 'b', undefined))).toEqual(['__proto__', 'a']);
  });
});

describe('a problem', () => {
  const root = {
    type: 'object',
    properties: {
      items: { type: 'array', items: { type: 'object', properties: { name: { type: 'string' } } } },
      spec: {},
    },
  };
  const paths = fieldPaths(root, { items: [{ name: 'x' }] }, 'input');
  const findPlace = (path: string) => [...placeProblems([{ path, message: 'm' }], paths, 'input').keys()][0];

  it('is shown at its own field, else at the nearest enclosing one, else at the form', () => {
    expect(findPlace('input.items[0].name')).toBe('input.items[0].name');
    expect(findPlace('input.items[3].name')).toBe('input.items');
    expect(findPlace('input.spec.mark.type')).toBe('input.spec');
    expect(findPlace('input.unknown')).toBe('input');
    expect(findPlace('body')).toBe('input');
  });
});
