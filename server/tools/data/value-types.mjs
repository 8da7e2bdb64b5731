// Which SQL types hold a text exactly, found without DuckDB, so that the rules are ours: a column
// gets a type only if every value of the file is written in it, and none loses a digit.
import { isSameDecimal } from '../../kit/exact-number.mjs';
import { quoteText } from './duckdb.mjs';

/** Bits: the types that hold a value. A column's types are the intersection over its values. */
export const TYPES = {
  BOOLEAN: 1,
  BIGINT: 2,
  HUGEINT: 4,
  DOUBLE: 8,
  DECIMAL: 16,
  DATE: 32,
  TIMESTAMP: 64,
  TIMESTAMPTZ: 128,
  TIME: 256,
  /** Dates such as 31.12.2026, only if the caller has said which comes first. */
  SLASHED_DATE: 512,
  SLASHED_TIMESTAMP: 1_024,
};
const ALL = 2_047;
const INTEGERS = TYPES.BIGINT | TYPES.HUGEINT;
const NUMBERS = INTEGERS | TYPES.DOUBLE | TYPES.DECIMAL;
/** What DuckDB reads with spaces around it. */
const TRIMMED = NUMBERS | TYPES.DATE | TYPES.SLASHED_DATE | TYPES.SLASHED_TIMESTAMP;
/** Digits of a decimal that every double gives back. */
const DOUBLE_DIGITS = 15;
const MAX_DECIMAL_DIGITS = 38;
const MAX_BIGINT = '9223372036854775807';
/** No number or date is longer; limits the work for each text. */
const MAX_CHARS = 400;
const MAX_EXAMPLE_BYTES = 40;

const [PLUS, MINUS, POINT, COMMA, ZERO, NINE, SPACE] = [...'+-.,09 '].map((sign) => sign.charCodeAt(0));
/** Separators between groups of digits: callers name the first of those that count as one. */
const GROUP_SIGNS = { '.': '.', ',': ',', ' ': ' \u00a0\u202f', "'": "'\u2019" };
const DATE_CHARS = 10;
const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const EXPONENT = 0x65;
const UPPER_CASE = 0x20;

/** @typedef {'iso' | 'dmy' | 'mdy'} DateOrder */

/**
 * Collects the types of one column.
 * @typedef {object} ColumnTypes
 * @property {number} types bits of `TYPES` that hold all values so far
 * @property {boolean} empty whether there is no value yet
 * @property {boolean} number whether a value has digits: `NaN` alone is a word
 * @property {number} integerDigits largest number of digits before the decimal point
 * @property {number} scale largest number of digits after it
 * @property {string} example the first value that is only text
 */

/** @returns {ColumnTypes} */
export function createColumn() {
  return { types: ALL, empty: true, number: false, integerDigits: 0, scale: 0, example: '' };
}

/** Reads values as one dialect writes them. */
export class ValueTypes {
  /** Digits before and after the point of the value read last. */
  integerDigits = 0;
  scale = 0;

  /**
   * @param {{ decimal?: string | undefined, dates?: DateOrder | undefined, thousands?: keyof typeof
   *   GROUP_SIGNS | undefined }} [dialect]
   */
  constructor({ decimal = '.', dates = 'iso', thousands } = {}) {
    this.point = decimal === ',' ? COMMA : POINT;
    this.dates = dates;
    this.groupSigns = thousands === undefined ? '' : GROUP_SIGNS[thousands];
    // Values are compared byte by byte.
    const signs = [...this.groupSigns].map(matchBytes);
    const groups = `(?:(?:${signs.join('|')})\\d{3})+`;
    const fraction = `(?:${matchBytes(decimal)}\\d+)?`;
    this.grouped = signs.length > 0 ? new RegExp(`^-?[1-9]\\d{0,2}${groups}${fraction}$`) : null;
  }

  /**
   * Adds a value to its column. An empty one is missing and changes nothing.
   * @param {ColumnTypes} column
   * @param {Buffer} bytes
   * @param {number} start
   * @param {number} end
   */
  add(column, bytes, start, end) {
    if (column.types === 0 || start === end) return;
    this.merge(column, this.read(bytes, start, end), bytes, start, end);
  }

  /**
   * Adds the types of the value read last.
   * @param {ColumnTypes} column
   * @param {number} types
   * @param {Buffer} bytes
   * @param {number} start
   * @param {number} end
   */
  merge(column, types, bytes, start, end) {
    column.empty = false;
    if (column.types === 0) return;
    column.types &= types;
    if (column.types === 0) {
      column.example = bytes.toString('utf8', start, Math.min(end, start + MAX_EXAMPLE_BYTES));
    } else if ((types & NUMBERS) !== 0 && this.integerDigits > 0) {
      column.number = true;
      if (this.integerDigits > column.integerDigits) column.integerDigits = this.integerDigits;
      if (this.scale > column.scale) column.scale = this.scale;
    }
  }

  /**
   * Returns the types that hold a value exactly; 0 if it is only text.
   * @param {Buffer} bytes
   * @param {number} start
   * @param {number} end
   */
  read(bytes, start, end) {
    let from = start;
    let to = end;
    while (from < to && bytes[from] === SPACE) from += 1;
    while (from < to && bytes[to - 1] === SPACE) to -= 1;
    this.integerDigits = 0;
    this.scale = 0;
    if (from === to || to - from > MAX_CHARS) return 0;
    const types = this.#readTrimmed(bytes, from, to);
    return to - from === end - start ? types : types & TRIMMED;
  }

  /** @param {Buffer} bytes @param {number} start @param {number} end */
  #readTrimmed(bytes, start, end) {
    if (this.grouped?.test(toText(bytes, start, end))) {
      const plain = bytes
        .subarray(start, end)
        .filter((byte) => isDigit(byte) || byte === MINUS || byte === this.point);
      return this.readNumber(Buffer.from(plain), 0, plain.length);
    }
    const first = Number(bytes[start]);
    if (isDigit(first) || first === MINUS || first === this.point) {
      const number = this.readNumber(bytes, start, end);
      if (number !== 0 || !isDigit(first)) return number === 0 ? readWord(bytes, start, end) : number;
      if (end - start === DATE_CHARS && isDayAt(bytes, start)) return TYPES.DATE;
      return readDate(toText(bytes, start, end), this.dates);
    }
    return readWord(bytes, start, end);
  }

  /** Whether numbers must be rewritten before DuckDB reads them. */
  get hasForeignNumbers() {
    return this.point === COMMA || this.groupSigns !== '';
  }

  /** The SQL for a number whose text is in a field. @param {string} field */
  buildNumber(field) {
    const [from, to] = this.point === COMMA ? [`,${this.groupSigns}`, '.'] : [this.groupSigns, ''];
    return `translate(${field}, ${quoteText(from)}, ${quoteText(to)})`;
  }

  /** @param {Buffer} bytes @param {number} start @param {number} end */
  readNumber(bytes, start, end) {
    let at = bytes[start] === MINUS ? start + 1 : start;
    const integer = at;
    while (at < end && isDigit(bytes[at])) at += 1;
    const integerDigits = at - integer;
    // A code such as 007 is not a number.
    if (integerDigits > 1 && bytes[integer] === ZERO) return 0;
    let scale = 0;
    if (bytes[at] === this.point && at < end) {
      const fraction = at + 1;
      for (at = fraction; at < end && isDigit(bytes[at]); ) at += 1;
      scale = at - fraction;
      if (scale === 0) return 0;
    }
    if (integerDigits + scale === 0) return 0;
    const mantissaEnd = at;
    if (at < end && !isExponent(bytes, at, end, scale > 0)) return 0;
    this.integerDigits = Math.max(1, integerDigits);
    this.scale = scale;
    const isNegativeZero = bytes[start] === MINUS && integerDigits === 1 && bytes[integer] === ZERO;
    if (mantissaEnd === end && scale === 0 && !isNegativeZero)
      return this.readInteger(bytes, start, integer, end);
    const isDouble =
      (mantissaEnd === end && integerDigits + scale <= DOUBLE_DIGITS) ||
      isExactDouble(
        this.point === COMMA ? toText(bytes, start, end).replace(',', '.') : toText(bytes, start, end),
      );
    const isDecimal = mantissaEnd === end && this.integerDigits + scale <= MAX_DECIMAL_DIGITS;
    return (isDouble ? TYPES.DOUBLE : 0) | (isDecimal ? TYPES.DECIMAL : 0);
  }

  /** @param {Buffer} bytes @param {number} start @param {number} integer @param {number} end */
  readInteger(bytes, start, integer, end) {
    const digits = end - integer;
    if (digits <= DOUBLE_DIGITS) return NUMBERS;
    const text = toText(bytes, start, end);
    const double = isExactDouble(text) ? TYPES.DOUBLE : 0;
    if (digits > MAX_DECIMAL_DIGITS) return double;
    const isBig =
      digits < MAX_BIGINT.length ||
      (digits === MAX_BIGINT.length && toText(bytes, integer, end) <= MAX_BIGINT);
    return double | TYPES.HUGEINT | TYPES.DECIMAL | (isBig ? TYPES.BIGINT : 0);
  }
}

/**
 * Returns the SQL type of a column; text if no other holds all its values.
 * @param {ColumnTypes} column
 * @returns {string} a type of DuckDB, or `SLASHED_DATE`, `SLASHED_TIMESTAMP`
 */
export function chooseType({ types, empty, number, integerDigits, scale }) {
  if (empty || types === 0) return 'VARCHAR';
  if ((types & NUMBERS) !== 0 && !number) return 'VARCHAR';
  if (types & TYPES.BOOLEAN) return 'BOOLEAN';
  if (types & TYPES.BIGINT) return 'BIGINT';
  if (types & TYPES.HUGEINT) return 'HUGEINT';
  if (types & TYPES.DOUBLE) return 'DOUBLE';
  if (types & TYPES.DECIMAL)
    return integerDigits + scale <= MAX_DECIMAL_DIGITS
      ? `DECIMAL(${MAX_DECIMAL_DIGITS},${scale})`
      : 'VARCHAR';
  for (const name of /** @type {const} */ (['DATE', 'TIMESTAMP', 'TIMESTAMPTZ', 'TIME', 'SLASHED_DATE']))
    if (types & TYPES[name]) return name;
  return 'SLASHED_TIMESTAMP';
}

/** @param {number | undefined} byte */
function isDigit(byte) {
  return byte !== undefined && byte >= Number(ZERO) && byte <= Number(NINE);
}

/**
 * `1e5` is as likely a code as a number, so an exponent needs a sign, or a fraction before it.
 * @param {Buffer} bytes @param {number} at @param {number} end @param {boolean} hasFraction
 */
function isExponent(bytes, at, end, hasFraction) {
  if ((Number(bytes[at]) | UPPER_CASE) !== EXPONENT) return false;
  const sign = bytes[at + 1];
  const hasSign = sign === PLUS || sign === MINUS;
  const digits = hasSign ? at + 2 : at + 1;
  if (digits >= end || (!hasSign && !hasFraction)) return false;
  for (let digit = digits; digit < end; digit += 1) if (!isDigit(bytes[digit])) return false;
  return true;
}

/** Whether a double gives back the same digits. @param {string} text */
export function isExactDouble(text) {
  const number = Number(text);
  return Number.isFinite(number) && (String(number) === text || isSameDecimal(text, String(number)));
}

/** @param {Buffer} bytes @param {number} start @param {number} end */
function readWord(bytes, start, end) {
  // No longer than `-infinity`, and no other first letters.
  if (end - start > 9 || !'tTfFnNiI-'.includes(String.fromCharCode(Number(bytes[start])))) return 0;
  const word = toText(bytes, start, end).toLowerCase();
  if (word === 'true' || word === 'false') return TYPES.BOOLEAN;
  return /^(nan|-?inf(inity)?)$/.test(word) ? TYPES.DOUBLE : 0;
}

const ISO =
  /^(?<day>\d{4}-\d\d-\d\d)(?:[T ](?<time>\d\d:\d\d(?<seconds>:\d\d(?:\.\d{1,6})?)?)(?<zone>Z|[+-]\d\d(?::?\d\d)?)?)?$/;
const TIME = /^\d\d:\d\d:\d\d(\.\d{1,6})?$/;
const SLASHED = /^(\d{1,2})([./-])(\d{1,2})\2(\d{4})(?: (\d{1,2}:\d\d(?::\d\d)?)(?: ?([AaPp][Mm]))?)?$/;

/**
 * @param {string} text that begins with a digit
 * @param {DateOrder} dates
 */
function readDate(text, dates) {
  const { day, time, seconds, zone } = ISO.exec(text)?.groups ?? {};
  if (day !== undefined) {
    if (!isDay(day) || (time !== undefined && !isTime(time))) return 0;
    if (time === undefined) return TYPES.DATE;
    if (zone === undefined) return TYPES.TIMESTAMP;
    // DuckDB reads an offset only after seconds.
    return seconds === undefined || !isOffset(zone) ? 0 : TYPES.TIMESTAMPTZ;
  }
  if (TIME.test(text)) return isTime(text) ? TYPES.TIME : 0;
  return dates === 'iso' ? 0 : readSlashed(text, dates);
}

/** @param {string} text @param {'dmy' | 'mdy'} dates */
function readSlashed(text, dates) {
  const [, first = '', , second = '', year = '', time, half] = SLASHED.exec(text) ?? [];
  const [month, day] = dates === 'dmy' ? [second, first] : [first, second];
  if (!isDay(`${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`)) return 0;
  if (time === undefined) return TYPES.SLASHED_DATE;
  const hour = Number(time.split(':')[0]);
  if (half !== undefined && (hour < 1 || hour > 12)) return 0;
  return isTime(time.padStart(time.length < 6 ? 5 : 8, '0')) ? TYPES.SLASHED_TIMESTAMP : 0;
}

/** Whether there is a day such as 2026-02-28. @param {Buffer} bytes @param {number} at */
function isDayAt(bytes, at) {
  if (bytes[at + 4] !== MINUS || bytes[at + 7] !== MINUS) return false;
  const year = readDigits(bytes, at, 4);
  const month = readDigits(bytes, at + 5, 2);
  const day = readDigits(bytes, at + 8, 2);
  if (!(year > 0 && month > 0 && month <= 12 && day > 0)) return false;
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return day <= (month === 2 && isLeap ? 29 : Number(DAYS[month - 1]));
}

/**
 * Returns NaN if one is not a digit.
 * @param {Buffer} bytes
 * @param {number} at
 * @param {number} count
 */
function readDigits(bytes, at, count) {
  let number = 0;
  for (let digit = at; digit < at + count; digit += 1)
    number = isDigit(bytes[digit]) ? number * 10 + Number(bytes[digit]) - Number(ZERO) : Number.NaN;
  return number;
}

/** @param {string} day such as `2026-02-30` */
function isDay(day) {
  return day.length === DATE_CHARS && isDayAt(Buffer.from(day), 0);
}

/** @param {string} time */
function isTime(time) {
  return /^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d+)?)?$/.test(time);
}

/** @param {string} zone */
function isOffset(zone) {
  return zone === 'Z' || /^[+-](0\d|1[0-4])(:?[0-5]\d)?$/.test(zone);
}

/** A pattern for the UTF-8 bytes of a character. @param {string} sign */
function matchBytes(sign) {
  return [...Buffer.from(sign)].map((byte) => `\\x${byte.toString(16)}`).join('');
}

/** @param {Buffer} bytes @param {number} start @param {number} end */
function toText(bytes, start, end) {
  return bytes.toString('latin1', start, end);
}
