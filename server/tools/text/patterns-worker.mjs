// Finds entities in text, for extract and redact; in a worker process unless the text is short.
// Every quantifier is bounded and no two adjacent parts match the same characters, so each pattern
// runs in linear time, without backtracking.
import { isIP } from 'node:net';

const DIGIT_0 = 0x30;
const DIGIT_9 = 0x39;
const LOWER_A = 0x61;
/** The bit that makes an ASCII letter lower case. */
const LOWER_CASE = 0x20;

/** @typedef {{ start: number, end: number, value: string }} Span start and end in UTF-16 units */

/** Scripts without spaces between words: an address ends where they begin, or the reverse. */
const DENSE =
  '[\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}\\p{sc=Hangul}\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmer}\\p{sc=Myanmar}ー]';
const LETTER = `(?!${DENSE})[\\p{L}\\p{M}]`;
const LOCAL_CHAR = `(?:${LETTER}|[\\p{N}_.%+-])`;
const LOCAL_PART = [
  `(?<!${LOCAL_CHAR})${LOCAL_CHAR}{1,64}(?:['’]${LOCAL_CHAR}{1,64}){0,3}`,
  `(?<!${DENSE})${DENSE}(?:${DENSE}|[\\p{N}_.%+-]){0,63}`,
  '"(?:[^"\\\\\\r\\n]|\\\\.){1,62}"',
].join('|');
const TOP_LEVEL = `(?:xn--[a-z0-9-]{1,59}|(?:${LETTER}){2,24})(?!${LETTER}|[\\p{N}-])|${DENSE}{2,24}`;
/** Also of internationalized names (RFC 6531), and with a quoted local part. */
const EMAIL = new RegExp(
  `(?:${LOCAL_PART})@(?:[\\p{L}\\p{M}\\p{N}-]{1,63}[.。．｡]){1,8}(?:${TOP_LEVEL})`,
  'giu',
);
const URL_LIKE = /(?<![\w@.])(?:https?:\/\/|www\.)[^\s<>"'`{}|\\^]{1,2048}/gi;
const HASHTAG = /(?<![\p{L}\p{N}_&#/])#(?=[\p{N}_]{0,139}\p{L})[\p{L}\p{N}_]{1,139}/gu;
const NUMBER =
  /(?<![\p{L}\p{N}_.,])[-+]?(?:\d{1,3}(?:,\d{3}){1,10}|\d{1,30})(?:\.\d{1,30})?(?:e[+-]?\d{1,3})?%?(?![\p{L}\p{N}_])/giu;
const IPV4 = /(?<![\w.])(?:\d{1,3}\.){3}\d{1,3}(?!\w|\.\d)/g;
// The look ahead skips words such as `bad`, because an address has two colons.
const IPV6_CANDIDATE = /(?<![0-9a-f:.])(?=[0-9a-f.]{0,64}:[0-9a-f.]{0,64}:)[0-9a-f:.]{2,64}(?![\w:])/gi;
const SSN = /(?<![\d-])(?!000|666|9\d\d)\d{3}-(?!00)\d{2}-(?!0000)\d{4}(?![\d-])/g;
const CARD_DIGITS = /\d(?:[ -]?\d){12,}/g;
const LEAST_CARD_DIGITS = 13;
const PHONE_CANDIDATE = /(?<![\w.,:/-])(?:\+|\()?\d(?:[ ()./-]{0,3}\d){5,16}(?![\w/-])/g;
const IBAN_START = /(?<![A-Z0-9])[A-Z]{2}\d{2}(?=[ -]?[A-Z0-9])/gi;

/**
 * The lengths of card numbers by their first two digits, longest first: Visa, Mastercard, American
 * Express, Diners, Discover, JCB, UnionPay and Maestro. The check digit alone would accept one in
 * ten long numbers.
 * @type {Map<string, number[]>}
 */
const CARD_LENGTHS = new Map(
  /** @type {[prefixes: string, lengths: number[]][]} */ ([
    ['40 41 42 43 44 45 46 47 48 49', [19, 16, 13]],
    ['22 23 24 25 26 27 51 52 53 54 55', [16]],
    ['34 37', [15]],
    ['30 36 38', [14]],
    ['35 60 61 62 63 64 65 66 67 68 69', [19, 18, 17, 16]],
    ['50 56 57 58 59', [19, 18, 17, 16, 15, 14, 13]],
  ]).flatMap(([prefixes, lengths]) => prefixes.split(' ').map((prefix) => [prefix, lengths])),
);

/** By country, with its length from the IBAN registry (ISO 13616). */
const IBANS = new Map(
  'AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DK18 DO28 EE20 EG29 ES24 FI18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 LB28 LC32 LI21 LT20 LU20 LV21 MC27 MD24 ME22 MK19 MR27 MT31 MU30 NL18 NO15 PK24 PL28 PS29 PT25 QA29 RO24 RS22 SA24 SC31 SE24 SI19 SK24 SM27 ST25 SV28 TN24 TR26 UA29 VA22 VG24 XK20'
    .split(' ')
    .map((entry) => [entry.slice(0, 2), buildIbanPattern(Number(entry.slice(2)))]),
);

/** An IBAN of this length, in groups or not. @param {number} length */
function buildIbanPattern(length) {
  return new RegExp(`(?:[A-Z0-9][ -]?){${length - 1}}[A-Z0-9](?![A-Z0-9])`, 'iy');
}

/** @param {RegExp} pattern @param {string} text @returns {Span[]} */
function matches(pattern, text) {
  return Array.from(text.matchAll(pattern), (match) =>
    spanAt(text, match.index, match.index + match[0].length),
  );
}

/** @param {string} text @param {number} start @param {number} end @returns {Span} */
function spanAt(text, start, end) {
  return { start, end, value: text.slice(start, end) };
}

/** @param {string} text */
export function findEmails(text) {
  if (!text.includes('@')) return [];
  return matches(EMAIL, text).filter(({ value }) => value.startsWith('"') || !/^\.|\.@|\.\./.test(value));
}

/** @param {string} text */
export const findHashtags = (text) => matches(HASHTAG, text);

/** @param {string} text */
export const findNumbers = (text) => matches(NUMBER, text);

/** @param {string} text */
export const findSsns = (text) => matches(SSN, text);

/**
 * Finds web addresses, without trailing punctuation of the sentence.
 * @param {string} text
 */
export function findUrls(text) {
  return matches(URL_LIKE, text)
    .map(({ start, value }) => spanAt(text, start, start + lengthWithoutPunctuation(value)))
    .filter(({ value }) => /^(?:https?:\/\/[^/?#\s]|www\.[^.\s]{1,255}\.)/i.test(value));
}

/** @param {string} url */
function lengthWithoutPunctuation(url) {
  let end = url.length;
  const opened = url.split('(').length - url.split(')').length;
  while (/[.,;:!?\])]/.test(url[end - 1] ?? '')) {
    // A closing bracket belongs to the URL if it has an opening one, as in Wikipedia's.
    if (url[end - 1] === ')' && opened >= 0) break;
    end -= 1;
  }
  return end;
}

/**
 * Finds IPv4 and IPv6 addresses, without their port.
 * @param {string} text
 */
export function findIps(text) {
  const hasTwoColons = text.indexOf(':') !== text.lastIndexOf(':');
  const long = hasTwoColons
    ? matches(IPV6_CANDIDATE, text).flatMap((span) => findIpv6(text, span) ?? [])
    : [];
  let next = 0;
  const short = matches(IPV4, text).filter(({ start, value }) => {
    while ((long[next]?.end ?? Number.POSITIVE_INFINITY) <= start) next += 1;
    return isIP(value) === 4 && start < (long[next]?.start ?? Number.POSITIVE_INFINITY);
  });
  return [...long, ...short].sort((one, other) => one.start - other.start);
}

/** @param {string} text @param {Span} candidate @returns {Span | undefined} */
function findIpv6(text, { start, value }) {
  const isWithinWord = /\w/.test(text[start - 1] ?? '');
  // The rest of a word, or a colon after one, as in `IPv6:2001:db8::1`.
  const skipped = (isWithinWord ? /^[^:]{0,64}:?/ : /^:(?!:)/).exec(value)?.[0].length ?? 0;
  const address = value.slice(skipped).replace(/[.:]{1,64}$/, (tail) => (tail.startsWith('::') ? '::' : ''));
  const withoutPort = address.replace(/:\d{1,5}$/, '');
  const found = [address, withoutPort].find((each) => isIP(each) === 6);
  if (found === undefined) return undefined;
  return spanAt(text, start + skipped, start + skipped + found.length);
}

/**
 * Finds payment card numbers with a valid check digit.
 * @param {string} text
 */
export function findCards(text) {
  return matches(CARD_DIGITS, text).flatMap((span) => findCardsAmong(text, span));
}

/** @param {string} text @param {Span} span of digits, in groups or not @returns {Span[]} */
function findCardsAmong(text, { start, end, value }) {
  const digits = value.replace(/[ -]/g, '');
  /** @type {number[]} */
  const places = [];
  for (let at = start; at < end; at += 1) if (isDigit(text, at)) places.push(at);
  const endOf = (/** @type {number} */ digit) => (places[digit] ?? 0) + 1;
  /** @type {Span[]} */
  const found = [];
  for (let first = 0; first + LEAST_CARD_DIGITS <= digits.length; first += 1) {
    const lengths = CARD_LENGTHS.get(digits.slice(first, first + 2));
    // Behind a point, a comma or a hyphen are the rest of another number.
    if (!lengths || isDigit(text, endOf(first) - 2) || '.,-'.includes(text[endOf(first) - 2] ?? ' '))
      continue;
    // The longest, because digits behind a space may belong to something else.
    const length = lengths.find(
      (count) =>
        first + count <= digits.length &&
        !isDigit(text, endOf(first + count - 1)) &&
        passesLuhn(digits.slice(first, first + count)),
    );
    if (length === undefined) continue;
    found.push(spanAt(text, endOf(first) - 1, endOf(first + length - 1)));
    first += length - 1;
  }
  return found;
}

/** @param {string} text @param {number} at */
function isDigit(text, at) {
  const code = text.charCodeAt(at);
  return code >= DIGIT_0 && code <= DIGIT_9;
}

/**
 * The Luhn check of payment cards (ISO/IEC 7812): every second digit from the right is doubled.
 * @param {string} digits
 */
export function passesLuhn(digits) {
  let sum = 0;
  for (let index = 0; index < digits.length; index += 1) {
    const digit = digits.charCodeAt(digits.length - 1 - index) - DIGIT_0;
    const doubled = index % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0 && /[1-9]/.test(digits);
}

/**
 * Finds bank account numbers with the length of their country and a valid checksum.
 * @param {string} text
 */
export function findIbans(text) {
  return matches(IBAN_START, text).flatMap(({ start, value }) => {
    const pattern = IBANS.get(value.slice(0, 2).toUpperCase());
    if (!pattern) return [];
    pattern.lastIndex = start;
    const iban = pattern.exec(text)?.[0];
    if (iban === undefined || !passesMod97(iban.replace(/[ -]/g, ''))) return [];
    return [spanAt(text, start, start + iban.length)];
  });
}

/**
 * The checksum of an IBAN without spaces (ISO 13616): letters count from A = 10, and the remainder
 * modulo 97 is 1.
 * @param {string} iban
 */
export function passesMod97(iban) {
  let remainder = 0;
  const moved = iban.slice(4) + iban.slice(0, 4);
  for (let index = 0; index < moved.length; index += 1) {
    const code = moved.charCodeAt(index);
    const value = code <= DIGIT_9 ? code - DIGIT_0 : (code | LOWER_CASE) - LOWER_A + 10;
    remainder = (remainder * (value > 9 ? 100 : 10) + value) % 97;
  }
  return remainder === 1;
}

/**
 * Finds phone numbers: international (+49 30 123456), or national with a leading 0, brackets, or
 * groups such as 555-123-4567.
 * @param {string} text
 */
export function findPhones(text) {
  return matches(PHONE_CANDIDATE, text)
    .map(({ start, end, value }) =>
      spanAt(text, start + (value.startsWith('(') && !value.includes(')') ? 1 : 0), end),
    )
    .filter(({ value }) => {
      const digits = value.replace(/\D/g, '').length;
      if (
        digits < 7 ||
        digits > 15 ||
        isIP(value) !== 0 ||
        /^\d{4}-\d\d-\d\d|^\d{1,2}[./]\d{1,2}[./]\d{2,4}/.test(value)
      )
        return false;
      return (
        /^\+|^\(?0\d|^\(\d/.test(value) ||
        /^(?:1[ .-])?\d{3}[ .-]\d{3}[ .-]\d{4}$|^\d{3}[ .-]\d{4}$/.test(value)
      );
    });
}
