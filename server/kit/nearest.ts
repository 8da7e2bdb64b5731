import { editDistance } from './edit-distance.mjs';

/** The known word with the smallest case-insensitive edit distance; the first one of equals. */
export function findNearest(word: string, known: readonly string[]): string | undefined {
  let nearest: string | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const candidate of known) {
    const differs = editDistance(word.toLowerCase(), candidate.toLowerCase());
    if (differs < least) [nearest, least] = [candidate, differs];
  }
  return nearest;
}
