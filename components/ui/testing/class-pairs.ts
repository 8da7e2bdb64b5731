import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { extendTailwindMerge } from 'tailwind-merge';
import { mergeClasses } from '../merge-classes';

/** tailwind-merge, extended with our own utility names. */
const reference = extendTailwindMerge({
  extend: {
    classGroups: {
      shadow: [{ shadow: ['pop'] }],
      animate: [{ animate: ['fade-in', 'pop-in', 'pulse-soft'] }],
    },
  },
  cacheSize: 0,
});

/** Every word of every string in the pages, which includes all classes. */
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
  // Only words that tailwind-merge recognizes as classes can ever be removed.
  return words().filter(
    (word) =>
      /[-:[]/.test(word) ||
      /^(flex|grid|block|hidden|border|rounded|truncate|static|fixed|absolute|relative|sticky|underline|italic|uppercase|shadow|ring|grow|shrink|transition)$/.test(
        word,
      ),
  );
}

/** Pairs of classes for which our result differs from that of tailwind-merge. */
export function findWrongPairs(classes: readonly string[]): string[] {
  const wrong: string[] = [];
  for (const first of classes)
    for (const second of classes) {
      // `line-clamp` hides overflow in both directions; tailwind-merge only knows the combined
      // property.
      if (first === second || (/^overflow-[xy]/.test(first) && second.startsWith('line-clamp'))) continue;
      const pair = `${first} ${second}`;
      const [ours, theirs] = [mergeClasses(pair), reference(pair)];
      if (ours !== theirs) wrong.push(`${pair} → ${ours}, not ${theirs}`);
    }
  return wrong;
}
