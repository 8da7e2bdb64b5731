import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toDefinitionName } from './definition-name';
import { checkRandomSchemas } from './testing/random-schemas';
import { toGeminiSchema } from './to-gemini-schema';
import { toPlainSchema } from './to-plain-schema';

const ANTHROPIC_NAME = /^[a-zA-Z0-9_.-]{1,64}$/;

describe('converted schemas', () => {
  it('are within the subset of each API, or undefined', () => checkRandomSchemas(50));

  it('keep what a model needs: descriptions, values, and forms of unions', () => {
    const schema = {
      type: 'object',
      $defs: { Point: { type: 'object', properties: { x: { type: 'number' } }, required: ['x'] } },
      properties: {
        at: { $ref: '#/$defs/Point', description: 'Where.' },
        size: { enum: [1, 2], description: 'How large.' },
        mode: { const: 'fast' },
        id: { oneOf: [{ type: 'string' }, { type: 'integer' }, { type: 'null' }], description: 'Which.' },
        'x-trace': { type: 'string' },
      },
      anyOf: [{ properties: { url: { type: 'string' } }, required: ['url', 'mode'] }, { required: ['mode'] }],
    };
    expect(toGeminiSchema(schema)).toEqual({
      type: 'OBJECT',
      properties: {
        at: { type: 'OBJECT', properties: { x: { type: 'NUMBER' } }, required: ['x'], description: 'Where.' },
        size: { type: 'NUMBER', description: 'How large. One of: 1, 2.' },
        mode: { type: 'STRING', enum: ['fast'] },
        id: {
          anyOf: [
            { type: 'STRING', nullable: true, description: 'Which.' },
            { type: 'INTEGER', nullable: true },
          ],
        },
        url: { type: 'STRING' },
      },
      required: ['mode'],
    });
    const { $defs, anyOf, ...plain } = schema;
    expect(toPlainSchema(schema, ANTHROPIC_NAME)).toEqual({
      ...plain,
      properties: {
        ...plain.properties,
        at: { ...$defs.Point, description: 'Where.' },
        url: { type: 'string' },
      },
      required: ['mode'],
    });
  });

  it('end recursion with any value, and lack a required property that has no name', () => {
    const tree = { type: 'object', properties: { child: { $ref: '#' }, name: { type: 'string' } } };
    expect(toPlainSchema(tree, /^/)).toEqual({
      type: 'object',
      properties: { child: {}, name: { type: 'string' } },
    });
    const hidden = { type: 'object', properties: { 'a b': { type: 'string' } }, required: ['a b'] };
    expect([toGeminiSchema(hidden), toPlainSchema(hidden, ANTHROPIC_NAME)]).toEqual([undefined, undefined]);
  });
});

it('bounds what references expand to', () => {
  const chain = Object.fromEntries(
    Array.from({ length: 3000 }, (_, index) => [
      `s${index}`,
      {
        type: 'object',
        properties: { a: { $ref: `#/$defs/s${index + 1}` }, b: { $ref: `#/$defs/s${index + 1}` } },
      },
    ]),
  );
  const schema = { type: 'object', $defs: chain, properties: { first: { $ref: '#/$defs/s0' } } };
  for (const converted of [toGeminiSchema(schema), toPlainSchema(schema, /^/)])
    expect(JSON.stringify(converted).length).toBeLessThan(200_000);
});

describe('toDefinitionName', () => {
  const part = fc.oneof(
    fc.stringMatching(/^[a-z][a-z0-9_-]{0,63}$/),
    fc.string({ maxLength: 80 }),
    fc.constantFrom('a', 'a_', '_a', 'a__a', '__'),
  );

  it('gives different skills different names that all APIs accept', () => {
    fc.assert(
      fc.property(part, part, part, part, (tool, skill, otherTool, otherSkill) => {
        const names = [toDefinitionName(tool, skill), toDefinitionName(otherTool, otherSkill)];
        for (const name of names) expect(name).toMatch(/^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/);
        const isSame = tool === otherTool && skill === otherSkill;
        expect(new Set(names).size).toBe(isSame ? 1 : 2);
      }),
      { numRuns: 500 },
    );
  });

  it('is readable, and short enough with a hash', () => {
    expect(toDefinitionName('web-reader', 'read')).toBe('web-reader__read');
    expect(toDefinitionName('a'.repeat(40), 'b'.repeat(40))).toMatch(/^a{40}_b{6}-[0-9a-f]{16}$/);
  });
});
