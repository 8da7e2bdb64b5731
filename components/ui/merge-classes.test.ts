import { expect, it } from 'vitest';
import { mergeClasses } from './merge-classes';
import { findWrongPairs, usedClasses } from './testing/class-pairs';

/** Of each utility, whatever its value and its variants are, two classes; the deep suite takes them all. */
function twoOfEach(classes: readonly string[]): string[] {
  const found = new Map<string, string[]>();
  for (const name of classes) {
    const utility = name.replace(/^.*:(?=[^\]]*$)/, '').replace(/-[^-[]*$|\[.*$/, '');
    found.set(utility, [...(found.get(utility) ?? []), name].slice(0, 2));
  }
  return [...found.values()].flat();
}

it('decides on every pair of utilities that the pages use as tailwind-merge does', () => {
  const classes = twoOfEach(usedClasses());
  expect(classes.length).toBeGreaterThan(100);
  // A new kind of utility: give it a line in the table.
  expect(findWrongPairs(classes)).toEqual([]);
});

it('keeps what is only partly set again, and takes each combination of variants for itself', () => {
  expect(mergeClasses('p-4 px-2')).toBe('p-4 px-2');
  expect(mergeClasses('px-2 p-4')).toBe('p-4');
  expect(mergeClasses('w-4 h-4 size-6')).toBe('size-6');
  expect(mergeClasses('sm:px-2 px-4 sm:px-6')).toBe('px-4 sm:px-6');
  expect(mergeClasses('text-sm text-muted text-lg')).toBe('text-muted text-lg');
  expect(mergeClasses('[&_svg]:size-4 [&_svg]:size-5 own-name')).toBe('[&_svg]:size-5 own-name');
});
