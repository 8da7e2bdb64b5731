/** Largest edit distance at which a word is suggested. */
const MAX_EDIT_DISTANCE = 2;

/** Returns the known word closest to a mistyped one, or undefined if none is close. */
export function findClosest(word: string, known: Iterable<string>): string | undefined {
  let best: string | undefined;
  let least = Math.min(MAX_EDIT_DISTANCE, Math.max(1, Math.floor(word.length / 3))) + 1;
  for (const candidate of known) {
    const distance = computeEditDistance(word.toLowerCase(), candidate.toLowerCase());
    if (distance < least) [best, least] = [candidate, distance];
  }
  return best;
}

/**
 * Edit distance where a swap of two adjacent letters counts as one edit (optimal string alignment).
 * leven and fastest-levenshtein count it as two; docs/decisions/0052.
 */
function computeEditDistance(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > MAX_EDIT_DISTANCE) return MAX_EDIT_DISTANCE + 1;
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let least = Math.min(at(row, j) + 1, at(next, j - 1) + 1, at(row, j - 1) + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        least = Math.min(least, at(before, j - 2) + 1);
      next.push(least);
    }
    [before, row] = [row, next];
  }
  return at(row, b.length);
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Number.POSITIVE_INFINITY;
}
