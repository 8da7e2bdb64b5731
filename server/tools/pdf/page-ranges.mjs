// Which pages a caller means. Plain JavaScript: prices ask it on the gateway's side, workers once they know the document.
import { Refusal } from '../../kit/worker-refusal.mjs';

/** `1-3,5,8-`: numbers from 1, ranges, and a range without an end that goes to the last page. */
export const PAGES_PATTERN = /^\s*\d{1,6}(\s*-\s*(\d{1,6})?)?(\s*,\s*\d{1,6}(\s*-\s*(\d{1,6})?)?)*\s*$/;

/**
 * The page numbers meant, in the order given.
 * @param {string | undefined} pages checked by PAGES_PATTERN; all pages where left out
 * @param {number} count pages of the document
 * @param {string} field names the input in errors
 * @throws {Refusal} where a page does not exist
 */
export function pagesOf(pages, count, field) {
  if (pages === undefined) return Array.from({ length: count }, (_, at) => at + 1);
  return pages.split(',').flatMap((part) => {
    const [first, last] = boundsOf(part, count);
    if (first < 1) throw new Refusal(`${field}: pages are counted from 1.`);
    if (last < first && !/-\s*$/.test(part))
      throw new Refusal(`${field}: ${part.trim()} ends before it begins.`);
    if (last > count || first > count)
      throw new Refusal(`${field}: ${part.trim()} lies beyond the end, the document has ${count} pages.`);
    return Array.from({ length: last - first + 1 }, (_, at) => first + at);
  });
}

/**
 * The most pages that can be meant, before the document is known.
 * @param {string | undefined} pages checked by PAGES_PATTERN
 * @param {number} most what the skill allows
 */
export function mostPagesOf(pages, most) {
  if (pages === undefined) return most;
  let total = 0;
  for (const part of pages.split(',')) {
    const [first, last] = boundsOf(part, Number.POSITIVE_INFINITY);
    total += Math.max(0, last - first + 1);
  }
  return Math.min(total, most);
}

/** @param {string} part @param {number} count @returns {[number, number]} */
function boundsOf(part, count) {
  const [from = '', to] = part.split('-');
  const first = Number(from);
  if (to === undefined) return [first, first];
  return [first, to.trim() === '' ? count : Number(to)];
}
