import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { extendTailwindMerge } from 'tailwind-merge';
import { mergeClasses } from '../merge-classes';

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

/** The classes that the pages use. */
export function usedClasses(): string[] {
  // Only what tailwind-merge takes for a class at all can be left out by it.
  return words().filter(
    (word) =>
      /[-:[]/.test(word) ||
      /^(flex|grid|block|hidden|border|rounded|truncate|static|fixed|absolute|relative|sticky|underline|italic|uppercase|shadow|ring|grow|shrink|transition)$/.test(
        word,
      ),
  );
}

/** Pairs of these classes on which we decide otherwise than tailwind-merge. */
export function findWrongPairs(classes: readonly string[]): string[] {
  const wrong: string[] = [];
  for (const first of classes)
    for (const second of classes) {
      // Clamped lines hide what overflows in both directions; tailwind-merge only knows of both at
      // once.
      if (first === second || (/^overflow-[xy]/.test(first) && second.startsWith('line-clamp'))) continue;
      const pair = `${first} ${second}`;
      const [ours, theirs] = [mergeClasses(pair), reference(pair)];
      if (ours !== theirs) wrong.push(`${pair} → ${ours}, not ${theirs}`);
    }
  return wrong;
}
