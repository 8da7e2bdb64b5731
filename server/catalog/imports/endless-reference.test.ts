import { describe, expect, it } from 'vitest';
import { findEndlessReference } from './endless-reference';

const self = { $ref: '#' };

describe('a schema that applies to the same value without an end', () => {
  it.each<[string, object, string]>([
    ['allOf with itself', { allOf: [self] }, '#'],
    ['a reference to itself', { $defs: { a: { $ref: '#/$defs/a' } } }, '#/$defs/a'],
    [
      'a parent and a child that refer to each other',
      {
        properties: { pet: { $ref: '#/$defs/Pet' } },
        $defs: {
          Pet: { oneOf: [{ $ref: '#/$defs/Cat' }] },
          Cat: { allOf: [{ $ref: '#/$defs/Pet' }, { type: 'object' }] },
        },
      },
      '#/$defs/',
    ],
    ['not', { not: self }, '#'],
    ['if', { if: self }, '#'],
    ['a dependent schema', { dependentSchemas: { a: self } }, '#'],
    ['an anchor', { $defs: { a: { $anchor: 'x', anyOf: [{ $ref: '#x' }] } } }, '#x'],
    [
      'an encoded name',
      { $defs: { 'a b/c': { allOf: [{ $ref: '#/$defs/a%20b~1c' }] } } },
      '#/$defs/a%20b~1c',
    ],
  ])('is found: %s', (_what, schema, words) => {
    expect(findEndlessReference(schema)).toContain(words);
  });

  it.each<[string, object]>([
    ['a tree', { properties: { children: { type: 'array', items: self } } }],
    ['a list of itself', { anyOf: [{ type: 'string' }, { items: self }] }],
    [
      'two references to one schema',
      { allOf: [{ $ref: '#/$defs/a' }, { $ref: '#/$defs/a' }], $defs: { a: {} } },
    ],
    [
      'properties with names of keywords',
      { properties: { allOf: self, not: self, $ref: { type: 'string' } } },
    ],
    ['a missing target', { allOf: [{ $ref: '#/$defs/none' }] }],
  ])('is not: %s', (_what, schema) => {
    expect(findEndlessReference(schema)).toBeNull();
  });

  it('is found behind thousands of references', () => {
    const $defs = Object.fromEntries(
      Array.from({ length: 5_000 }, (_, i) => [`d${i}`, { $ref: `#/$defs/d${(i + 1) % 5_000}` }]),
    );
    expect(findEndlessReference({ $defs })).toContain('#/$defs/d');
  });
});
