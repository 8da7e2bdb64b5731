import { expect, it } from 'vitest';
import {
  breaksCallers,
  compareDefinitions,
  createDefinition,
  definitionHash,
  type PinnedSkill,
} from './definition';

const source = { kind: 'openapi' as const, url: 'https://a.test/openapi.json', server: 'https://a.test' };
const parameter = { property: 'a', name: 'a', in: 'query' as const, explode: true };
const more = { property: 'b', name: 'b', in: 'query' as const, explode: true };
const input = {
  type: 'object' as const,
  properties: { a: { $ref: '#/$defs/A' } },
  required: ['a'],
  additionalProperties: false,
  $defs: { A: { type: 'string' } },
};
const request = {
  method: 'GET',
  path: '/a',
  parameters: [parameter],
  body: 'none' as const,
  bodyRequired: false,
  scheme: null,
};
const skill: PinnedSkill = {
  upstream: 'a',
  title: 'A',
  description: '',
  input,
  output: null,
  annotations: { readOnly: true, idempotent: true, destructive: false },
  request,
};
const kindOf = (old: PinnedSkill, next: PinnedSkill) => {
  const differences = compareDefinitions(createDefinition(source, [old]), createDefinition(source, [next]));
  return [differences[0]?.kind, breaksCallers(differences)];
};
const b = { b: { type: 'string' } };
const extended = {
  ...skill,
  input: { ...input, properties: { ...input.properties, ...b }, $defs: { ...input.$defs, B: {} } },
  request: { ...request, parameters: [more, parameter] },
};

it('the hash of an approved definition stays the same, so that no update of the gateway reports a change', () => {
  const properties = { 10: { const: 1e21 }, 9: { enum: ['é', -0, null] } };
  const { request: _, ...tool } = { ...skill, input: { ...input, properties } };
  expect(definitionHash(createDefinition(source, [{ ...tool }]))).toBe(
    '6859d8fb0de96489b9e25dffd7a529f2b7697c21fe3f308ddbfb1d30de94aa56',
  );
});

it('an optional body where there was none breaks no callers; a required one does', () => {
  const body = (bodyRequired: boolean) => ({
    ...extended,
    request: { ...request, body: 'fields' as const, bodyRequired, form: {} },
  });
  expect(kindOf(skill, body(false))).toEqual(['extended', false]);
  expect(kindOf(skill, body(true))).toEqual(['changed', true]);
});

it('more optional input breaks no callers', () => {
  expect(kindOf(skill, extended)).toEqual(['extended', false]);
});

it.each<[string, PinnedSkill, PinnedSkill]>([
  ['less input', extended, skill],
  ['a required field', skill, { ...extended, input: { ...extended.input, required: ['a', 'b'] } }],
  ['another definition', skill, { ...skill, input: { ...input, $defs: { A: { type: 'integer' } } } }],
  ['another field', skill, { ...skill, input: { ...input, properties: { a: {} } } }],
  [
    'another place',
    skill,
    { ...extended, request: { ...request, parameters: [{ ...parameter, name: 'c' }] } },
  ],
  ['another server', skill, { ...extended, request: { ...extended.request, server: 'https://a.test/v2' } }],
  ['another path', skill, { ...extended, request: { ...extended.request, path: '/b' } }],
  ['another description', skill, { ...extended, description: 'B' }],
  [
    'a name for a field that could be sent before',
    { ...skill, input: { ...input, additionalProperties: true } },
    { ...extended, input: { ...extended.input, additionalProperties: true } },
  ],
])('%s does', (_what, old, next) => {
  expect(kindOf(old, next)).toEqual(['changed', true]);
});
