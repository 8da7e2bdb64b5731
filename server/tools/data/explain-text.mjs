// Explains how text columns that look like dates or numbers are converted.
import { quoteName, quoteText } from './duckdb.mjs';
import { TYPES } from './value-types.mjs';

const MAX_NOTES = 10;
const MAX_NAME_CHARS = 60;

const DATES = TYPES.DATE | TYPES.TIMESTAMP | TYPES.TIMESTAMPTZ;
const DATE_LIKE =
  /^(\d{1,4})([./-])(\d{1,2})\2(\d{1,4})(?:([ T])\d{1,2}:\d\d(:\d\d)?(\.\d{1,6})?(?:( ?)[AP]M)?)?$/i;
/** What a number is written with, and what says so. */
const NUMBER_FORMS = /** @type {const} */ ([
  [/^-?\d+,\d+$/, 'decimal: "," if the comma is decimal'],
  [/^-?\d{1,3}(\.\d{3})+,\d+$/, 'decimal: "," and thousands: "."'],
  [/^-?\d{1,3}(,\d{3})+(\.\d+|,\d{3})$/, 'thousands: ","'],
  [
    /^-?\d{1,3}([ \u00a0\u202f]\d{3})+([.,]\d+)?$/,
    'thousands: " ", and decimal: "," if the comma is decimal',
  ],
  [/^-?\d{1,3}(['\u2019]\d{3})+([.,]\d+)?$/, 'thousands: "\'", and decimal: "," if the comma is decimal'],
]);

/**
 * Says of text columns that look like dates or numbers how to convert them.
 * @param {{ name: string, type: string, column: import('./value-types.mjs').ColumnTypes }[]}
 *   columns
 * @param {import('./value-types.mjs').ValueTypes} types
 */
export function explainText(columns, types) {
  const notes = [];
  for (const { name, type, column } of columns) {
    if (type !== 'VARCHAR' || notes.length === MAX_NOTES) continue;
    const { example } = column;
    const field = quoteName(name.slice(0, MAX_NAME_CHARS));
    const how = explainDate(example, field, types) ?? explainNumber(example);
    if (how) notes.push(`Column ${field} is text, with values such as ${example}. ${how}`);
  }
  return notes;
}

/** @param {string} example */
function explainNumber(example) {
  const [, pass] = NUMBER_FORMS.find(([form]) => form.test(example)) ?? [];
  return pass && `Pass ${pass}.`;
}

/**
 * The SQL fails for values of another form, so that no time or offset is lost.
 * @param {string} example
 * @param {string} field
 * @param {import('./value-types.mjs').ValueTypes} types
 */
function explainDate(example, field, types) {
  const bytes = Buffer.from(example);
  if (types.read(bytes, 0, bytes.length) & DATES)
    return `Its dates have several forms: CAST(${field} AS TIMESTAMPTZ) reads all, and takes those without an offset as UTC.`;
  const parts = DATE_LIKE.exec(example);
  if (!parts) return undefined;
  const [, first = '', sign = '', second = '', third = ''] = parts;
  const convert = (/** @type {string[]} */ ...days) =>
    `convert them in SQL: strptime(${field}, ${quoteText(days.join(sign) + formatTime(parts))})`;
  if (first.length > 2) return `If these are dates, ${convert('%Y', '%m', '%d')}.`;
  const year = third.length > 2 ? '%Y' : '%y';
  const isMonthFirst = types.dates === 'mdy' || Number(second) > 12;
  const how = isMonthFirst ? convert('%m', '%d', year) : convert('%d', '%m', year);
  return third.length === 4 && types.dates === 'iso'
    ? `Pass dates: dmy or mdy if the order is known, or ${how}.`
    : `If these are dates in this order, ${how}.`;
}

/** @param {RegExpExecArray} parts of `DATE_LIKE` */
function formatTime([, , , , , sign, seconds, fraction, space]) {
  if (sign === undefined) return '';
  const end = (seconds ? ':%S' : '') + (fraction ? '.%f' : '');
  return sign + (space === undefined ? `%H:%M${end}` : `%I:%M${end}${space}%p`);
}
