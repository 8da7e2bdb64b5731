// Decides how a CSV is written from its first line alone, so that the decision can be explained.
/** @import { ValueTypes } from './value-types.mjs' */

/** In the order that decides between equal counts. */
const DELIMITERS = ['\t', ';', '|', ','];

/**
 * Returns the lines in front of the table: those to skip and Excel's `sep=` line.
 * @param {Buffer} head the first bytes of the file
 * @param {number} skip lines that the caller skips
 * @returns {{ offset: number, lines: number, delimiter?: string }} `offset` of the table in bytes
 */
export function readPreamble(head, skip) {
  let offset = 0;
  for (let line = 0; line < skip; line += 1) {
    const end = findLineEnd(head, offset);
    if (end.next >= head.length) return { offset: head.length, lines: skip };
    offset = end.next;
  }
  const { end, next } = findLineEnd(head, offset);
  const line = head.toString('latin1', offset, Math.min(end, offset + 20));
  const delimiter = /^"?sep=(.)"?$/i.exec(line)?.[1];
  return delimiter === undefined ? { offset, lines: skip } : { offset: next, lines: skip + 1, delimiter };
}

/** @param {Buffer} bytes @param {number} from */
function findLineEnd(bytes, from) {
  for (let at = from; at < bytes.length; at += 1) {
    if (bytes[at] === 10) return { end: at, next: at + 1 };
    if (bytes[at] === 13) return { end: at, next: bytes[at + 1] === 10 ? at + 2 : at + 1 };
  }
  return { end: bytes.length, next: bytes.length };
}

/**
 * The candidate that occurs most often in the first line, outside of quotes. Commas between digits
 * count only without another candidate: they may be decimal. If the caller says that commas are,
 * other commas do so too, and those between digits never.
 * @param {Buffer} head from the first line on
 * @param {{ quote: string, filename: string, escape?: string | undefined, decimal?: string |
 *   undefined }} options
 * @returns {string | null} null for one column
 */
export function chooseDelimiter(head, { quote, escape: escapeSign = quote, filename, decimal }) {
  const line = readFirstLine(head.toString('latin1'), quote, escapeSign);
  const isTabbed = /\.(tsv|tab)$/i.test(filename);
  const candidates = isTabbed ? ['\t'] : DELIMITERS;
  const count = (/** @type {string} */ text, /** @type {string} */ sign) => text.split(sign).length - 1;
  const most = (/** @type {string} */ text) =>
    candidates.reduce((best, sign) => (count(text, sign) > count(text, best) ? sign : best));
  const apart = line.replace(/(?<=\d),(?=\d)/g, '');
  const texts = decimal === ',' ? [line.replaceAll(',', ''), apart] : [apart, line];
  for (const text of texts) {
    const best = most(text);
    if (count(text, best) > 0) return best;
  }
  return null;
}

/**
 * The first line that is not empty, without its quoted values.
 * @param {string} text
 * @param {string} quote
 * @param {string} escapeSign
 */
function readFirstLine(text, quote, escapeSign) {
  let line = '';
  for (let at = 0, quoted = false; at < text.length; at += 1) {
    const sign = text.charAt(at);
    if (quoted) {
      if ((sign === quote || sign === escapeSign) && text.charAt(at + 1) === quote) at += 1;
      else if (sign === quote) quoted = false;
    } else if (sign === '\n' || sign === '\r') {
      if (line !== '') return line;
    } else {
      // A quote within a value is part of it.
      quoted = sign === quote && (line === '' || DELIMITERS.includes(line.slice(-1)));
      line += sign;
    }
  }
  return line;
}

const ADDRESS = /^([a-z][a-z0-9+.-]*:\/\/\S+|www\.\S+|[^\s@]+@[^\s@]+\.[^\s@]+)$/i;
const YEAR = /^[12]\d{3}$/;

/**
 * Whether the first record has names: not if one of its values is a number, a date, a truth
 * value or
 * an address. Years are names if the record below has other values there.
 * @param {readonly string[]} first
 * @param {readonly string[] | undefined} second
 * @param {ValueTypes} types
 */
export function guessHeader(first, second, types) {
  if (first.every((value) => value.trim() === '')) return false;
  const isData = (/** @type {string} */ value) => {
    const bytes = Buffer.from(value);
    return ADDRESS.test(value.trim()) || types.read(bytes, 0, bytes.length) !== 0;
  };
  const years = first.flatMap((value, at) => (YEAR.test(value.trim()) ? [at] : []));
  const areNames =
    years.length > 1 &&
    new Set(years.map((at) => first[at])).size === years.length &&
    second !== undefined &&
    !years.every((at) => YEAR.test((second[at] ?? '').trim()));
  return !first.some((value, at) => isData(value) && !(areNames && years.includes(at)));
}
