import { describe, expect, it } from 'vitest';
import { checkSchema } from './check-schema';
import { parseDocument, readDocument } from './read-openapi';
import { compileSchema, findProblems } from './schema-check.mjs';

const BIG = '725653563933458433';

/** Reads a document whose only operation takes, or returns, a value of this schema. */
async function readOperation(schema: string, place: 'input' | 'output' = 'input') {
  const content = `"content":{"application/json":{"schema":{"type":"object","properties":{"id":${schema}}}}}`;
  const body =
    place === 'input' ? `"requestBody":{${content}},"responses":{}` : `"responses":{"200":{${content}}}`;
  const text = `{"openapi":"3.1.0","paths":{"/a":{"post":{"operationId":"save",${body}}}}}`;
  const server = 'https://a.test';
  const { skills, leftOut } = await readDocument(await parseDocument(text), { url: null, server });
  const { id } = (skills[0]?.[place]?.properties ?? {}) as { id?: unknown };
  return { id, reason: leftOut[0]?.reason };
}

describe('numbers of an imported document that a double cannot hold', () => {
  it('are text with their digits where they describe', async () => {
    const { id } = await readOperation(`{"type":"integer","default":${BIG},"examples":[${BIG},1]}`);
    expect(id).toEqual({ type: 'integer', default: BIG, examples: [BIG, 1] });
  });

  it('are bounds of values, which are rounded in the same way', async () => {
    const { id } = await readOperation(
      '{"type":"integer","minimum":-9223372036854775808,"maximum":9223372036854775807,"exclusiveMaximum":1e400}',
    );
    expect(id).toEqual({ type: 'integer', minimum: -(2 ** 63), maximum: 2 ** 63 });
    const validators = compileSchema({ type: 'object', properties: { id } });
    expect(findProblems(validators, { id: '9223372036854775807' })).toEqual([]);
    expect(findProblems(validators, { id: '9223372036854779000' })).not.toEqual([]);
  });

  it.each([`{"type":"integer","enum":[1,${BIG}]}`, `{"type":["number","null"],"const":${BIG}}`])(
    'leave out an operation that takes only them, with the number: %s',
    async (schema) => {
      expect(await readOperation(schema)).toEqual({
        id: undefined,
        reason: `Its input schema allows the number ${BIG}, which most programs round, so another one would be sent.`,
      });
      const { id } = await readOperation(schema, 'output');
      const { first } = compileSchema({ type: 'object', properties: { id } });
      expect(first({ id: Number(BIG) })).toBe(true);
    },
  );

  it('are not mistaken for texts of the same digits', () => {
    const properties = {
      id: { enum: [BIG] },
      name: { type: ['string', 'integer'], const: BIG },
      maximum: {},
    };
    expect(checkSchema({ properties }, 'input')).toMatchObject({ schema: { properties } });
  });
});
