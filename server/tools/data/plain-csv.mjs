// Writes records in the one form that every reader of CSV reads alike: commas, quotes where
// needed, and as many values as columns.
import { writeBounded } from './bounded-file.mjs';
import { FORM } from './csv-records.mjs';

/** @import { CsvRecords } from './csv-records.mjs' */

const [COMMA, QUOTE, LINE_FEED] = [0x2c, 0x22, 0x0a];
const BUFFER_BYTES = 1024 * 1024;

/**
 * Writes the rows that `read` passes on, in blocks.
 * @param {string} path
 * @param {number} columns
 * @param {boolean} hasHeader whether the first record is not a row
 * @param {(write: (records: CsvRecords, bytes: Buffer) => Promise<void> | undefined) =>
 *   Promise<void>} read
 * @throws {Refusal} if short rows make it too large
 */
export async function writePlainCsv(path, columns, hasHeader, read) {
  const writer = new PlainCsv(columns, hasHeader);
  await writeBounded(path, async (write) => {
    await read((records, bytes) => {
      writer.add(records, bytes);
      return writer.length < BUFFER_BYTES ? undefined : write(writer.take());
    });
    await write(writer.take());
  });
}

class PlainCsv {
  length = 0;
  #buffer = Buffer.allocUnsafe(2 * BUFFER_BYTES);
  #blankRows = 0;

  /** @param {number} columns @param {boolean} skipsFirst */
  constructor(columns, skipsFirst) {
    this.columns = columns;
    this.skipsFirst = skipsFirst;
    this.hasFirst = false;
  }

  /** @param {CsvRecords} records @param {Buffer} bytes */
  add(records, bytes) {
    if (records.isBlank()) {
      if (this.hasFirst && this.columns === 1) this.#blankRows += 1;
      return;
    }
    const isFirst = !this.hasFirst;
    this.hasFirst = true;
    if (isFirst && this.skipsFirst) return;
    for (; this.#blankRows > 0; this.#blankRows -= 1) this.#putByte(LINE_FEED);
    for (let at = 0; at < this.columns; at += 1) {
      if (at > 0) this.#putByte(COMMA);
      if (at < records.count) this.#putValue(records, bytes, at);
    }
    this.#putByte(LINE_FEED);
  }

  /** Returns what was added since the last call. */
  take() {
    const taken = Buffer.from(this.#buffer.subarray(0, this.length));
    this.length = 0;
    return taken;
  }

  /** @param {CsvRecords} records @param {Buffer} bytes @param {number} at */
  #putValue(records, bytes, at) {
    const start = Number(records.starts[at]);
    const end = Number(records.ends[at]);
    const isEscaped = records.forms[at] === FORM.ESCAPED;
    const value = isEscaped ? Buffer.from(records.text(bytes, at)) : bytes.subarray(start, end);
    this.#reserve(2 * value.length + 3);
    const quoted = needsQuotes(value);
    if (quoted) this.#buffer[this.length++] = QUOTE;
    for (const byte of value) {
      if (quoted && byte === QUOTE) this.#buffer[this.length++] = QUOTE;
      this.#buffer[this.length++] = byte;
    }
    if (quoted) this.#buffer[this.length++] = QUOTE;
  }

  /** @param {number} byte */
  #putByte(byte) {
    this.#reserve(1);
    this.#buffer[this.length++] = byte;
  }

  /** @param {number} bytes */
  #reserve(bytes) {
    if (this.length + bytes <= this.#buffer.length) return;
    const larger = Buffer.allocUnsafe(2 * (this.length + bytes));
    this.#buffer.copy(larger, 0, 0, this.length);
    this.#buffer = larger;
  }
}

/** @param {Uint8Array} value */
function needsQuotes(value) {
  for (const byte of value)
    if (byte === COMMA || byte === QUOTE || byte === LINE_FEED || byte === 0x0d) return true;
  return false;
}
