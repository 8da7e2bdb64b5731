import { expect, it } from 'vitest';
import { findWrongPairs, usedClasses } from './testing/class-pairs';

it('decides on every pair of the classes that the pages use as tailwind-merge does', () => {
  const classes = usedClasses();
  expect(classes.length).toBeGreaterThan(300);
  // A new kind of utility: give it a line in the table.
  expect(findWrongPairs(classes)).toEqual([]);
});
