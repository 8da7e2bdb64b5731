/**
 * Edit distance where a swap of two adjacent letters counts as one edit (optimal string alignment).
 * leven and fastest-levenshtein count it as two; docs/decisions/0052.
 * @param {string} a
 * @param {string} b
 */
export function editDistance(a, b) {
  /** @type {number[]} */
  let before = [];
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = at(row, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
      let least = Math.min(at(row, j) + 1, at(next, j - 1) + 1, replaced);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        least = Math.min(least, at(before, j - 2) + 1);
      next.push(least);
    }
    [before, row] = [row, next];
  }
  return at(row, b.length);
}

/** @param {readonly number[]} row @param {number} index */
function at(row, index) {
  return row[index] ?? Number.POSITIVE_INFINITY;
}
