import { createHmac, randomBytes } from 'node:crypto';
import * as find from './patterns-worker.mjs';

/** @typedef {'email' | 'phone' | 'card' | 'iban' | 'ip' | 'ssn' | 'term'} Kind */
/** @typedef {'label' | 'mask' | 'hash'} Style */

const HASH_CHARS = 12;

/**
 * Where findings overlap, the kind named first wins: the digits of a card also look like a phone number.
 * @type {[Exclude<Kind, 'term'>, (text: string) => import('./patterns-worker.mjs').Span[]][]}
 */
const finders = [
  ['iban', find.findIbans],
  ['card', find.findCards],
  ['email', find.findEmails],
  ['ip', find.findIps],
  ['ssn', find.findSsns],
  ['phone', find.findPhones],
];

/**
 * Replaces personal data.
 * @param {{ text: string, kinds: Kind[], terms: string[], style: Style, hash_key?: string }} payload
 */
export function redact({ text, kinds, terms, style, hash_key: hashKey }) {
  const found = [
    ...findTerms(text, terms).map((span) => ({ ...span, kind: /** @type {Kind} */ ('term'), rank: 0 })),
    ...finders.flatMap(([kind, finder], index) =>
      kinds.includes(kind) ? finder(text).map((span) => ({ ...span, kind, rank: index + 1 })) : [],
    ),
  ];
  // A random key makes hashes comparable within this text only: a short number could else be guessed from its hash.
  const key = hashKey ?? randomBytes(32);
  /** @type {Record<Kind, number>} */
  const counts = { email: 0, phone: 0, card: 0, iban: 0, ip: 0, ssn: 0, term: 0 };
  let redacted = '';
  let at = 0;
  for (const { kind, start, end, value } of withoutOverlaps(found)) {
    redacted += text.slice(at, start) + replacementOf(kind, value, style, key);
    counts[kind] += 1;
    at = end;
  }
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  return { text: redacted + text.slice(at), counts, total };
}

/**
 * @template {{ start: number, end: number, rank: number }} Found
 * @param {Found[]} found
 * @returns {Found[]} in the order of the text
 */
function withoutOverlaps(found) {
  // In order of the text; what begins within the one before goes, unless it ranks higher and pushes that one out.
  /** @type {Found[]} */
  const kept = [];
  for (const next of found.sort((a, b) => a.start - b.start || a.rank - b.rank)) {
    let last = kept.at(-1);
    while (last && last.end > next.start && next.rank < last.rank) {
      kept.pop();
      last = kept.at(-1);
    }
    if (!last || last.end <= next.start) kept.push(next);
  }
  return kept;
}

/** @param {string} text @param {string[]} terms whole words, in any case @returns {import('./patterns-worker.mjs').Span[]} */
function findTerms(text, terms) {
  if (terms.length === 0) return [];
  const longestFirst = [...terms].sort((a, b) => b.length - a.length);
  const alternatives = longestFirst.map((term) => term.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')).join('|');
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}_])(?:${alternatives})(?![\\p{L}\\p{N}_])`, 'giu');
  return Array.from(text.matchAll(pattern), (match) => ({
    start: match.index,
    end: match.index + match[0].length,
    value: match[0],
  }));
}

/** @param {Kind} kind @param {string} value @param {Style} style @param {import('node:crypto').BinaryLike} key */
function replacementOf(kind, value, style, key) {
  if (style === 'mask') return '*'.repeat([...value].length);
  const label = kind.toUpperCase();
  if (style === 'label') return `[${label}]`;
  // The same number written with other spaces is the same number.
  const normal = value
    .toLowerCase()
    .replace(kind === 'term' || kind === 'email' ? /\s+/g : /[\s()./-]+/g, '');
  return `[${label}:${createHmac('sha256', key).update(normal).digest('hex').slice(0, HASH_CHARS)}]`;
}
