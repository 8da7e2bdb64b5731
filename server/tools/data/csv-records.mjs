// Splits CSV into records by RFC 4180, in blocks. Plain forms are left to DuckDB; whatever else
// occurs is found here, with its line number.
import { Refusal } from '../../kit/worker-refusal.mjs';

const [LINE_FEED, CARRIAGE_RETURN, BACKSLASH] = [10, 13, 0x5c];
/** A longer record means that a quote was not closed. */
export const MAX_RECORD_BYTES = 16 * 1024 * 1024;

/** How a value is written in the file. */
export const FORM = {
  PLAIN: 0,
  QUOTED: 1,
  /** Within quotes, with escaped quotes. */
  ESCAPED: 2,
};

/** Fields of the record read last: offsets within the block. */
export class CsvRecords {
  /** @type {number[]} */
  starts = [];
  /** @type {number[]} */
  ends = [];
  /** @type {number[]} */
  forms = [];
  count = 0;
  /** By byte: 1 if it may end or quote a value. One lookup is twice as fast as four comparisons. */
  stops = new Uint8Array(256);
  /** Lines before the record, and at its end. */
  line = 0;
  lastLine = 0;
  /** Whether DuckDB would read the records so far in the same way. */
  isPlain = true;
  /** Line breaks seen: 1 for LF, 2 for CRLF, 4 for CR. */
  breaks = 0;

  /**
   * @param {{ delimiter: string | null, quote: string, escape?: string | undefined }} dialect
   *   `quote` empty for none; `escape` of quotes within quotes, besides doubling them
   */
  constructor({ delimiter, quote, escape: escapeSign = quote }) {
    this.delimiter = delimiter === null ? -1 : delimiter.charCodeAt(0);
    this.quote = quote === '' ? -1 : quote.charCodeAt(0);
    this.escape = escapeSign === quote ? -1 : escapeSign.charCodeAt(0);
    for (const byte of [this.delimiter, this.quote, LINE_FEED, CARRIAGE_RETURN])
      if (byte !== undefined && byte >= 0) this.stops[byte] = 1;
  }

  /**
   * Reads the record at `from`.
   * @param {Uint8Array} bytes
   * @param {number} from
   * @param {number} to
   * @param {boolean} isLast whether the file ends at `to`
   * @returns {number} the offset behind the record, or -1 if the block ends within it
   */
  next(bytes, from, to, isLast) {
    const { delimiter, quote, starts, ends, forms, stops } = this;
    const escapeByte = this.escape;
    let count = 0;
    let line = this.lastLine;
    this.line = line + 1;
    for (let at = from; ; at += 1) {
      let form = FORM.PLAIN;
      const quoted = bytes[at] === quote && at < to;
      let start = at;
      let end = at;
      if (quoted) {
        const quotedLine = line + 1;
        start = at + 1;
        form = FORM.QUOTED;
        for (at = start; ; at += 1) {
          const byte = bytes[at];
          if (at >= to) {
            if (!isLast) return -1;
            throw new Refusal(`line ${quotedLine} has a quoted value that is not closed. ${CLOSE}`);
          }
          if (byte === LINE_FEED || (byte === CARRIAGE_RETURN && bytes[at + 1] !== LINE_FEED)) line += 1;
          if (byte !== quote && byte !== escapeByte) continue;
          if (at + 1 >= to && !isLast) return -1;
          const after = at + 1 < to ? bytes[at + 1] : -1;
          if (after === quote || (byte === escapeByte && after === escapeByte)) {
            form = FORM.ESCAPED;
            if (byte === escapeByte) this.isPlain = false;
            at += 1;
          } else if (byte === quote) break;
        }
        end = at;
        at += 1;
      } else {
        for (; at < to; at += 1) {
          if (stops[Number(bytes[at])] === 0) continue;
          if (bytes[at] !== quote) break;
          this.isPlain = false;
        }
        end = at;
      }
      starts[count] = start;
      ends[count] = end;
      forms[count] = form;
      count += 1;
      if (at >= to) {
        if (!isLast) return -1;
        this.count = count;
        this.lastLine = line + 1;
        return to;
      }
      const byte = bytes[at];
      if (byte === delimiter) continue;
      if (byte !== LINE_FEED && byte !== CARRIAGE_RETURN)
        throw new Refusal(
          `line ${line + 1} has text after a closing quote. ${bytes[end - 1] === BACKSLASH ? UNESCAPE : CLOSE}`,
        );
      const next = this.#endLine(bytes, at, to, isLast);
      this.count = count;
      if (next > 0) this.lastLine = line + 1;
      return next;
    }
  }

  /** @param {Uint8Array} bytes @param {number} at @param {number} to @param {boolean} isLast */
  #endLine(bytes, at, to, isLast) {
    if (bytes[at] === LINE_FEED) {
      this.breaks |= 1;
      return at + 1;
    }
    if (at + 1 >= to && !isLast) return -1;
    const isPair = at + 1 < to && bytes[at + 1] === LINE_FEED;
    this.breaks |= isPair ? 2 : 4;
    return isPair ? at + 2 : at + 1;
  }

  /** Whether the record is an empty line. */
  isBlank() {
    return this.count === 1 && this.starts[0] === this.ends[0] && this.forms[0] === FORM.PLAIN;
  }

  /**
   * The value of a field as text.
   * @param {Uint8Array} bytes
   * @param {number} at number of the field
   */
  text(bytes, at) {
    const text = Buffer.from(bytes.subarray(this.starts[at], this.ends[at])).toString();
    if (this.forms[at] !== FORM.ESCAPED) return text;
    const quote = String.fromCharCode(this.quote);
    if (this.escape < 0) return text.replaceAll(quote + quote, quote);
    const escapeSign = String.fromCharCode(this.escape);
    let value = '';
    for (let next = 0; next < text.length; next += 1) {
      const pair = text.slice(next, next + 2);
      if (pair === quote + quote || pair === escapeSign + quote || pair === escapeSign + escapeSign)
        next += 1;
      value += text.charAt(next);
    }
    return value;
  }
}

const UNESCAPE = 'Pass escape: "\\\\" if a backslash is in front of quotes within values.';
const CLOSE = 'Write a quote within a quoted value twice, or pass the quote that the file uses.';
