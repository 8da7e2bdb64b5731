import { editDistance } from './edit-distance.mjs';

/**
 * The word of a list that differs least from another one, whatever their case; where several do,
 * the first.
 */
export function findNearest(word: string, known: readonly string[]): string | undefined {
  let nearest: string | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const candidate of known) {
    const differs = editDistance(word.toLowerCase(), candidate.toLowerCase());
    if (differs < least) [nearest, least] = [candidate, differs];
  }
  return nearest;
}
