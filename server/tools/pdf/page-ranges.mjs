// Parses page ranges. Plain JavaScript, for the workers and the prices of the gateway.
import { Refusal } from '../../kit/worker-refusal.mjs';

/**
 * `1-3,5,8-`: numbers from 1, ranges, and open ranges that end at the last page. Linear, because it
 * is applied to a text of any length: zod checks the pattern after the length was refused.
 */
export const PAGES_PATTERN = /^\s*\d{1,6}(\s*-(\s*\d{1,6})?)?(\s*,\s*\d{1,6}(\s*-(\s*\d{1,6})?)?)*\s*$/;

/**
 * Returns the selected page numbers, in the order given.
 * @param {string | undefined} pages matches PAGES_PATTERN; all pages if omitted
 * @param {number} count pages of the document
 * @param {string} field name of the input in errors
 * @throws {Refusal} if a page does not exist
 */
export function parsePages(pages, count, field) {
  if (pages === undefined) return Array.from({ length: count }, (_, at) => at + 1);
  return pages.split(',').flatMap((part) => {
    const [first, last] = parseBounds(part, count);
    if (first < 1) throw new Refusal(`${field}: page numbers start at 1.`);
    if (last < first && !/-\s*$/.test(part))
      throw new Refusal(`${field}: the range ${part.trim()} ends before it starts.`);
    if (last > count || first > count)
      throw new Refusal(`${field}: ${part.trim()} is beyond the end; the document has ${count} pages.`);
    return Array.from({ length: last - first + 1 }, (_, at) => first + at);
  });
}

/**
 * Returns an upper bound for the number of pages, before the document is open.
 * @param {string | undefined} pages matches PAGES_PATTERN
 * @param {number} most the limit of the skill
 */
export function countMaxPages(pages, most) {
  if (pages === undefined) return most;
  let total = 0;
  for (const part of pages.split(',')) {
    const [first, last] = parseBounds(part, Number.POSITIVE_INFINITY);
    total += Math.max(0, last - first + 1);
  }
  return Math.min(total, most);
}

/** @param {string} part @param {number} count @returns {[number, number]} */
function parseBounds(part, count) {
  const [from = '', to] = part.split('-');
  const first = Number(from);
  if (to === undefined) return [first, first];
  return [first, to.trim() === '' ? count : Number(to)];
}
