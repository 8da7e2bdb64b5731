// A tag with an array or tuple of rows, and a type argument of `execute` or `unsafe`. Arrays of
// plain values are columns: Drizzle's sql<string[]>.
const TYPED = /(?<!\b(?:string|number|bigint|boolean)\[)\]\s*>\s*`|\.(?:execute|unsafe)\s*</g;

/**
 * Finds statements with rows typed by a type argument, which nothing checks.
 * @param {string} text of a file
 * @returns {number[]} their lines
 */
export function findRowGenerics(text) {
  return [...text.matchAll(TYPED)].map(({ index }) => text.slice(0, index).split('\n').length);
}
