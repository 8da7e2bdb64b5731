import { findDates } from './dates-worker.mjs';
import * as find from './patterns-worker.mjs';

/**
 * @typedef {'emails' | 'urls' | 'phone_numbers' | 'dates' | 'numbers' | 'hashtags' |
 *   'ip_addresses'} Kind
 */

/**
 * @type {Record<Kind, (text: string) =>
 *   (import('./patterns-worker.mjs').Span & { iso?: string | null })[]>}
 */
const finders = {
  emails: find.findEmails,
  urls: find.findUrls,
  phone_numbers: find.findPhones,
  dates: findDates,
  numbers: find.findNumbers,
  hashtags: find.findHashtags,
  ip_addresses: find.findIps,
};

/**
 * Finds all entities of the requested kinds, in the order of the text.
 * @param {{ text: string, kinds: Kind[], limit: number }} payload limit applies to each kind
 */
export function extract({ text, kinds, limit }) {
  const wanted = [...new Set(kinds)];
  return wanted.map((kind) => {
    const spans = finders[kind](text).sort((a, b) => a.start - b.start);
    const items = spans
      .slice(0, limit)
      .map(({ value, start, end, iso }) => ({ value, start, end, ...(iso ? { iso } : {}) }));
    return { kind, count: spans.length, items };
  });
}
