// Finds calendar dates in text. Runs in a worker process, in linear time (see patterns-worker.mjs).

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const MONTH =
  '(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)';

const ISO =
  /(?<![\d-])(\d{4})-(\d{2})-(\d{2})(?![\d-])(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})?)?/g;
const NUMERIC = /(?<![\d./-])(\d{1,2})([./-])(\d{1,2})\2(\d{4}|\d{2})(?![\d/-])/g;
const DAY_FIRST = new RegExp(
  `(?<![\\w])(\\d{1,2})(?:st|nd|rd|th)?\\.? (?:of )?(${MONTH})\\.?(?:,? (\\d{4}))?(?!\\w)`,
  'gi',
);
const MONTH_FIRST = new RegExp(
  `(?<![\\w])(${MONTH})\\.? (\\d{1,2})(?:st|nd|rd|th)?(?:,? (\\d{4}))?(?!\\w)`,
  'gi',
);

/** @typedef {{ start: number, end: number, value: string, iso: string | null }} DateSpan */

/**
 * Finds dates in numbers or with English months. `iso` is null if the year is missing or the order
 * of day and month is ambiguous.
 * @param {string} text
 * @returns {DateSpan[]}
 */
export function findDates(text) {
  /** @type {DateSpan[]} */
  const found = [];
  /**
   * @param {RegExpMatchArray} match
   * @param {string | null | undefined} iso undefined: invalid date
   */
  const add = (match, iso) => {
    if (iso === undefined) return;
    const start = match.index ?? 0;
    found.push({ start, end: start + match[0].length, value: match[0], iso });
  };
  for (const match of text.matchAll(ISO)) add(match, toIsoDate(match[1], match[2], match[3]));
  for (const match of text.matchAll(NUMERIC)) add(match, parseNumericDate(match));
  for (const match of text.matchAll(DAY_FIRST))
    add(match, toIsoDate(match[3], parseMonth(match[2]), match[1]));
  for (const match of text.matchAll(MONTH_FIRST))
    add(match, toIsoDate(match[3], parseMonth(match[1]), match[2]));
  return found;
}

/** @param {string | undefined} name */
function parseMonth(name) {
  return MONTHS.indexOf((name ?? '').slice(0, 3).toLowerCase()) + 1;
}

/**
 * With dots the day comes first; with slashes and hyphens only a number above 12 settles the order.
 * @param {RegExpMatchArray} match
 */
function parseNumericDate(match) {
  const [first, second] = [Number(match[1]), Number(match[3])];
  const year = match[4]?.length === 4 ? match[4] : undefined;
  if (match[2] === '.' || first > 12) return toIsoDate(year, second, first);
  if (second > 12) return toIsoDate(year, first, second);
  return toIsoDate(undefined, first, second);
}

/**
 * @param {string | undefined} year
 * @param {string | number | undefined} month
 * @param {string | number | undefined} day
 * @returns {string | null | undefined} null without a year, undefined for an invalid date
 */
function toIsoDate(year, month, day) {
  // Without a year, 29 February is valid: 2000 was a leap year.
  const date = new Date(Date.UTC(Number(year ?? 2000), Number(month) - 1, Number(day)));
  date.setUTCFullYear(Number(year ?? 2000), Number(month) - 1, Number(day));
  if (date.getUTCMonth() !== Number(month) - 1 || date.getUTCDate() !== Number(day)) return undefined;
  return year === undefined ? null : date.toISOString().slice(0, 10);
}
