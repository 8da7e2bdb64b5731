import { editDistance } from './edit-distance.mjs';

/**
 * The known word with the smallest case-insensitive edit distance, the first one of equals.
 * @param limit words at a larger distance are not considered
 */
export function findNearest(
  word: string,
  known: Iterable<string>,
  limit = Number.POSITIVE_INFINITY,
): string | undefined {
  let nearest: string | undefined;
  let least = limit + 1;
  for (const candidate of known) {
    // Lengths alone already differ by too much.
    if (Math.abs(candidate.length - word.length) >= least) continue;
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase());
    if (distance < least) [nearest, least] = [candidate, distance];
  }
  return nearest;
}
