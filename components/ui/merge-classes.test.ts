import { expect, it } from 'vitest';
import { mergeClasses } from './merge-classes';
import { findWrongPairs, usedClasses } from './testing/class-pairs';

/** Two classes per utility, ignoring values and variants; the deep suite tests all of them. */
function twoOfEach(classes: readonly string[]): string[] {
  const found = new Map<string, string[]>();
  for (const name of classes) {
    const utility = name.replace(/^.*:(?=[^\]]*$)/, '').replace(/-[^-[]*$|\[.*$/, '');
    found.set(utility, [...(found.get(utility) ?? []), name].slice(0, 2));
  }
  return [...found.values()].flat();
}

it('agrees with tailwind-merge on every pair of utilities that the pages use', () => {
  const classes = twoOfEach(usedClasses());
  expect(classes.length).toBeGreaterThan(100);
  // If a new utility fails here, add a row for it to the table.
  expect(findWrongPairs(classes)).toEqual([]);
});

it('keeps classes that are only partly overridden, and treats each combination of variants separately', () => {
  expect(mergeClasses('p-4 px-2')).toBe('p-4 px-2');
  expect(mergeClasses('px-2 p-4')).toBe('p-4');
  expect(mergeClasses('w-4 h-4 size-6')).toBe('size-6');
  expect(mergeClasses('sm:px-2 px-4 sm:px-6')).toBe('px-4 sm:px-6');
  expect(mergeClasses('text-sm text-muted text-lg')).toBe('text-muted text-lg');
  expect(mergeClasses('[&_svg]:size-4 [&_svg]:size-5 own-name')).toBe('[&_svg]:size-5 own-name');
});
