import fc from 'fast-check';
import { expect, it } from 'vitest';
import { nearestName } from '../../../../server/core/errors/unknown-name';
import { findClosest } from './closest.js';

it.each([
  ['serch', 'search'],
  ['cuont', 'count'],
  ['COUNT', 'count'],
  ['cunot', undefined],
])('for %j it suggests %j', (word, expected) => {
  expect(findClosest(word, ['search', 'count'])).toBe(expected);
});

it('suggests what the gateway suggests', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'C', '-'), maxLength: 9 });
  fc.assert(
    fc.property(word, fc.array(word, { maxLength: 8 }), (typed, known) => {
      expect(findClosest(typed, known)).toBe(nearestName(typed, known));
    }),
  );
});
