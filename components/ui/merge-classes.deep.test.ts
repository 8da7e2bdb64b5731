import { expect, it } from 'vitest';
import { findWrongPairs, usedClasses } from './testing/class-pairs';

it('agrees with tailwind-merge on every pair of classes that the pages use', () => {
  const classes = usedClasses();
  expect(classes.length).toBeGreaterThan(300);
  // If a new utility fails here, add a row for it to the table.
  expect(findWrongPairs(classes)).toEqual([]);
});
