import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { extendTailwindMerge } from 'tailwind-merge';
import { expect, it } from 'vitest';
import { mergeClasses } from './merge-classes';

/** With our own names, which it cannot know. */
const reference = extendTailwindMerge({
  extend: {
    classGroups: {
      shadow: [{ shadow: ['pop'] }],
      animate: [{ animate: ['fade-in', 'pop-in', 'pulse-soft'] }],
    },
  },
  cacheSize: 0,
});

/** Every word of every string of the pages: the classes are among them. */
function words(): string[] {
  const found = new Set<string>();
  const files = ['app', 'components'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
  );
  for (const path of files.filter((name) => name.endsWith('.tsx'))) {
    const text = readFileSync(path, 'utf8');
    for (const [, single, double, back] of text.matchAll(/'([^'\n]*)'|"([^"\n]*)"|`([^`]*)`/g))
      for (const word of (single ?? double ?? back ?? '').split(/\s+/))
        if (/^[a-z[!-][^<>{}$'",;]*$/.test(word)) found.add(word);
  }
  return [...found];
}

it('decides on every pair of the classes that the pages use as tailwind-merge does', () => {
  // Only what tailwind-merge takes for a class at all can be left out by it.
  const classes = words().filter(
    (word) =>
      /[-:[]/.test(word) ||
      /^(flex|grid|block|hidden|border|rounded|truncate|static|fixed|absolute|relative|sticky|underline|italic|uppercase|shadow|ring|grow|shrink|transition)$/.test(
        word,
      ),
  );
  expect(classes.length).toBeGreaterThan(300);
  const wrong: string[] = [];
  for (const first of classes)
    for (const second of classes) {
      // Clamped lines hide what overflows in both directions; tailwind-merge only knows of both at once.
      if (first === second || (/^overflow-[xy]/.test(first) && second.startsWith('line-clamp'))) continue;
      const pair = `${first} ${second}`;
      const [ours, theirs] = [mergeClasses(pair), reference(pair)];
      if (ours !== theirs) wrong.push(`${pair} → ${ours}, not ${theirs}`);
    }
  // A new kind of utility: give it a line in the table.
  expect(wrong).toEqual([]);
}, 120_000);

it('keeps what is only partly set again, and takes each combination of variants for itself', () => {
  expect(mergeClasses('p-4 px-2')).toBe('p-4 px-2');
  expect(mergeClasses('px-2 p-4')).toBe('p-4');
  expect(mergeClasses('w-4 h-4 size-6')).toBe('size-6');
  expect(mergeClasses('sm:px-2 px-4 sm:px-6')).toBe('px-4 sm:px-6');
  expect(mergeClasses('text-sm text-muted text-lg')).toBe('text-muted text-lg');
  expect(mergeClasses('[&_svg]:size-4 [&_svg]:size-5 own-name')).toBe('[&_svg]:size-5 own-name');
});
