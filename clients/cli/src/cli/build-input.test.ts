import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { GatewayError } from '../errors.js';
import { buildInputFromFields } from './build-input.js';
import type { FieldArgument } from './command.js';
import type { JsonSchema } from './json-schema.js';

const schema: JsonSchema = {
  type: 'object',
  properties: {
    text: { type: 'string' },
    count: { type: 'integer' },
    price: { type: 'number' },
    loud: { type: 'boolean' },
    mode: { type: 'string', enum: ['fast', 'slow'] },
    tags: { type: 'array', items: { type: 'string' } },
    sizes: { type: 'array', items: { type: 'number' } },
    options: { type: 'object', properties: { width: { type: 'integer' }, deep: { $ref: '#/$defs/deep' } } },
    either: { anyOf: [{ type: 'number' }, { type: 'string' }, { type: 'null' }] },
    any_thing: {},
    labels: { type: 'object', additionalProperties: { type: 'integer' } },
  },
  $defs: { deep: { type: 'object', properties: { on: { type: 'boolean' } } } },
};

function read(...pairs: [string, string?][]): Record<string, unknown> {
  return buildInputFromFields(
    schema,
    pairs.map(([name, value]): FieldArgument => ({ name, value })),
  );
}

function wrongs(work: () => unknown): readonly { path: string; message: string }[] {
  try {
    work();
  } catch (error) {
    if (error instanceof GatewayError) return error.fields;
    throw error;
  }
  return [];
}

describe('input fields of a call', () => {
  it('keep any text, number and boolean exactly', () => {
    fc.assert(
      fc.property(
        fc.string(),
        fc.integer(),
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        fc.boolean(),
        (text, count, price, loud) => {
          // JSON.stringify turns -0 into 0.
          const exact = price === 0 ? 0 : price;
          expect(
            read(
              ['text', text],
              ['count', String(count)],
              ['price', JSON.stringify(exact)],
              ['loud', String(loud)],
            ),
          ).toEqual({ text, count, price: exact, loud });
        },
      ),
    );
  });

  it('keep the digits of numbers that would change', () => {
    expect(read(['count', '725653563933458433'], ['any_thing', '725653563933458433'])).toEqual({
      count: '725653563933458433',
      any_thing: '725653563933458433',
    });
    expect(read(['any_thing', '{"id":725653563933458433}']).any_thing).toBe('{"id":725653563933458433}');
    expect(read(['price', '12345678901234567.89']).price).toBe('12345678901234567.89');
  });

  it('keep any JSON value exactly in an untyped field', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify(value);
        expect(JSON.stringify(read(['any_thing', text]).any_thing)).toBe(text);
      }),
    );
  });

  it('reject text for a number and name the field', () => {
    fc.assert(
      fc.property(
        fc.string().filter((text) => !/^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(text)),
        (text) => {
          expect(wrongs(() => read(['count', text])).map(({ path }) => path)).toEqual(['count']);
          expect(wrongs(() => read(['price', text])).map(({ path }) => path)).toEqual(['price']);
        },
      ),
    );
    for (const text of ['', ' 1', '0x10', '1_000', '01', 'NaN', 'Infinity', '1e999', '+1', '.5', '5.', '1.5'])
      expect(wrongs(() => read(['count', text]))).toHaveLength(1);
  });

  it('build lists from repeated flags or JSON, and objects from dotted names or JSON', () => {
    expect(read(['tags', 'a'], ['tags', 'b,c'])).toEqual({ tags: ['a', 'b,c'] });
    expect(read(['tags', '["a","b"]'])).toEqual({ tags: ['a', 'b'] });
    expect(read(['sizes', '1'], ['sizes', '-2.5'])).toEqual({ sizes: [1, -2.5] });
    expect(read(['options.width', '5'], ['options.deep.on'])).toEqual({
      options: { width: 5, deep: { on: true } },
    });
    expect(read(['options', '{"width":5}'], ['options.deep.on', 'false'])).toEqual({
      options: { width: 5, deep: { on: false } },
    });
    expect(read(['labels.made-up', '3'])).toEqual({ labels: { 'made-up': 3 } });
  });

  it('accept switches, negated switches and kebab-case names', () => {
    expect(read(['loud'])).toEqual({ loud: true });
    expect(read(['no-loud'])).toEqual({ loud: false });
    expect(read(['any-thing', 'x'])).toEqual({ any_thing: 'x' });
  });

  it('convert a value of several types to the narrowest that matches', () => {
    expect(read(['either', '5'])).toEqual({ either: 5 });
    expect(read(['either', 'null'])).toEqual({ either: null });
    expect(read(['either', 'five'])).toEqual({ either: 'five' });
  });

  it('report all invalid fields at once, with what is expected', () => {
    const found = wrongs(() =>
      buildInputFromFields({ ...schema, required: ['text'] }, [
        { name: 'cuont', value: '1' },
        { name: 'mode', value: 'medium' },
        { name: 'sizes', value: 'x' },
        { name: 'price', value: undefined },
        { name: 'loud', value: 'yes' },
      ]),
    );
    expect(Object.fromEntries(found.map(({ path, message }) => [path, message]))).toEqual({
      cuont: 'is not a field of this skill; did you mean --count?',
      mode: 'must be one of fast, slow',
      sizes: 'item 1 must be a number',
      price: 'needs a value (number)',
      loud: 'must be true or false',
      text: 'is missing (string)',
    });
  });

  it('cannot modify prototypes', () => {
    for (const name of ['__proto__.polluted', 'constructor.prototype.polluted', 'options.__proto__.x'])
      expect(wrongs(() => read([name, '1']))).toHaveLength(1);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  it('override the values of --input without changing it', () => {
    const base = { text: 'a', options: { width: 1 } };
    expect(buildInputFromFields(schema, [{ name: 'options.width', value: '2' }], base)).toEqual({
      text: 'a',
      options: { width: 2 },
    });
    expect(base.options.width).toBe(1);
  });
});
