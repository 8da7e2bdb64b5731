import { createHmac, randomBytes } from 'node:crypto';
import * as find from './patterns-worker.mjs';

/** @typedef {'email' | 'phone' | 'card' | 'iban' | 'ip' | 'ssn' | 'term'} Kind */
/** @typedef {'label' | 'mask' | 'hash'} Style */

const HASH_CHARS = 12;
/** NUL, which no pattern matches, and which takes one byte: a Latin text stays as short. */
const BLANK = '\0';

/**
 * In order of priority, because a card's digits also look like a phone number.
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
 * Replaces personal data in a text.
 * @param {{ text: string, kinds: Kind[], terms: string[], style: Style, hash_key?: string |
 *   undefined }} payload
 */
export function redact({ text, kinds, terms, style, hash_key: hashKey }) {
  const found = findAll(text, kinds, terms);
  // With a public key, short numbers could be guessed from their hash; a random one prevents it.
  const key = hashKey ?? randomBytes(32);
  /** @type {Record<Kind, number>} */
  const counts = { email: 0, phone: 0, card: 0, iban: 0, ip: 0, ssn: 0, term: 0 };
  let redacted = '';
  let at = 0;
  for (const { kind, start, end, value } of found) {
    redacted += text.slice(at, start) + buildReplacement(kind, value, style, key);
    counts[kind] += 1;
    at = end;
  }
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  return { text: redacted + text.slice(at), counts, total };
}

/**
 * Finds one kind after the other and blanks each match, so that matches never overlap: a phone
 * number next to a card would otherwise include its first digits.
 * @param {string} text
 * @param {Kind[]} kinds
 * @param {string[]} terms
 */
function findAll(text, kinds, terms) {
  /** @type {(import('./patterns-worker.mjs').Span & { kind: Kind })[]} */
  const found = findTerms(text, terms).map((span) => ({ ...span, kind: 'term' }));
  let rest = blank(plain(text), found);
  for (const [kind, finder] of finders) {
    if (!kinds.includes(kind)) continue;
    const spans = finder(rest);
    for (const { start, end, value } of spans) found.push({ kind, start, end, value });
    rest = blank(rest, spans);
  }
  return found.sort((a, b) => a.start - b.start);
}

/** Replaces the spaces and hyphens of typesetting, one character by one. @param {string} text */
function plain(text) {
  return text.replace(/[\u00a0\u2007\u2009\u202f]/g, ' ').replace(/[\u2010\u2011]/g, '-');
}

/**
 * Replaces the spans, which are in order, by a character that no pattern matches.
 * @param {string} text
 * @param {{ start: number, end: number }[]} spans
 */
function blank(text, spans) {
  if (spans.length === 0) return text;
  let blanked = '';
  let at = 0;
  for (const { start, end } of spans) {
    blanked += text.slice(at, start) + BLANK.repeat(end - start);
    at = end;
  }
  return blanked + text.slice(at);
}

/**
 * @param {string} text
 * @param {string[]} terms whole words, in any case
 * @returns {import('./patterns-worker.mjs').Span[]}
 */
function findTerms(text, terms) {
  if (terms.length === 0) return [];
  const longestFirst = [...terms].sort((a, b) => b.length - a.length);
  const alternatives = longestFirst.map((term) => term.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')).join('|');
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}_])(?:${alternatives})(?![\\p{L}\\p{N}_])`, 'giu');
  return Array.from(text.matchAll(pattern), (match) => ({
    start: match.index,
    end: match.index + match[0].length,
    value: match[0],
  }));
}

/**
 * @param {Kind} kind
 * @param {string} value
 * @param {Style} style
 * @param {import('node:crypto').BinaryLike} key
 */
function buildReplacement(kind, value, style, key) {
  if (style === 'mask') return '*'.repeat([...value].length);
  const label = kind.toUpperCase();
  if (style === 'label') return `[${label}]`;
  // Numbers that differ only in spaces and punctuation get the same hash.
  const normal = value
    .toLowerCase()
    .replace(kind === 'term' || kind === 'email' ? /\s+/g : /[\s()./-]+/g, '');
  return `[${label}:${createHmac('sha256', key).update(normal).digest('hex').slice(0, HASH_CHARS)}]`;
}
