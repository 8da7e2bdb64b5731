import { Refusal } from '../../kit/worker-refusal.mjs';
import { guessHeader } from './csv-dialect.mjs';
import { createColumn } from './value-types.mjs';

/** @import { CsvRecords } from './csv-records.mjs' */
/** @import { ValueTypes } from './value-types.mjs' */

const MAX_LINES_NAMED = 5;

/** Collects over all records of a CSV what decides how it is read. */
export class CsvSurvey {
  /** @type {import('./value-types.mjs').ColumnTypes[]} */
  columns = [];
  header = false;
  /** Empty lines that are no rows. */
  skippedLines = 0;
  filledRows = 0;
  /** In bytes. */
  longestRecord = 0;
  /** Whether DuckDB reads the file in the same way. */
  isPlain = true;
  /** @type {string[]} */
  notes = [];
  /** @type {string[] | undefined} */
  #first;
  #isDecided = false;
  /** Columns of the first line without unnamed ones at its end, which rows may leave out. */
  #named = 0;
  /** Empty lines are rows of a table of one column, unless the file ends with them. */
  #blankRows = 0;
  /** @type {number[]} */
  #filledLines = [];
  #cutRows = 0;

  /** @param {ValueTypes} types @param {boolean | undefined} header as the caller says */
  constructor(types, header) {
    this.types = types;
    this.givenHeader = header;
  }

  /**
   * Adds a record.
   * @param {CsvRecords} records
   * @param {Buffer} bytes
   * @param {number} length of the record in bytes
   * @throws {Refusal} if it has more values than the first one
   */
  add(records, bytes, length) {
    if (length > this.longestRecord) this.longestRecord = length;
    if (records.isBlank()) this.#addBlank();
    else if (this.#first === undefined) this.#addFirst(records, bytes);
    else {
      if (!this.#isDecided) this.#decideHeader(readTexts(records, bytes));
      if (records.count !== this.columns.length) this.#checkLength(records);
      this.#blankRows = 0;
      const count = Math.min(records.count, this.columns.length);
      for (let at = 0; at < count; at += 1) {
        const column = /** @type {import('./value-types.mjs').ColumnTypes} */ (this.columns[at]);
        this.types.add(column, bytes, Number(records.starts[at]), Number(records.ends[at]));
      }
    }
  }

  /** @param {CsvRecords} records @throws {Refusal} if there was no record */
  finish(records) {
    if (this.#first === undefined)
      throw new Refusal('the file is empty. Pass a file with at least one line.');
    if (!this.#isDecided) this.#decideHeader(undefined);
    const mixesBreaks = records.breaks > 2;
    if (!records.isPlain || mixesBreaks || this.#blankRows > 0) this.isPlain = false;
    this.skippedLines += this.#blankRows;
    this.#addNotes();
  }

  /** The columns; those that are not used have neither a name nor a value. */
  describeColumns() {
    return this.columns.map((column, at) => ({
      name: (this.header && this.#first?.[at]?.trim()) || `column${at}`,
      column,
      isUsed: at < this.#named || !column.empty,
    }));
  }

  #addBlank() {
    if (this.columns.length === 1) {
      this.#blankRows += 1;
      return;
    }
    this.skippedLines += 1;
    this.isPlain = false;
  }

  /** @param {CsvRecords} records @param {Buffer} bytes */
  #addFirst(records, bytes) {
    this.#first = readTexts(records, bytes);
    this.columns = this.#first.map(createColumn);
    this.#named = this.#first.length;
    if (records.lastLine > records.line) this.isPlain = false;
  }

  /** @param {string[] | undefined} second */
  #decideHeader(second) {
    const first = this.#first ?? [];
    this.#isDecided = true;
    this.header = this.givenHeader ?? guessHeader(first, second, this.types);
    if (this.header) {
      while (this.#named > 1 && first[this.#named - 1]?.trim() === '') this.#named -= 1;
      return;
    }
    for (const [at, column] of this.columns.entries()) {
      const bytes = Buffer.from(first[at] ?? '');
      this.types.add(column, bytes, 0, bytes.length);
    }
  }

  /** @param {CsvRecords} records */
  #checkLength(records) {
    this.isPlain = false;
    const { count, line } = records;
    if (count < this.#named) {
      this.filledRows += 1;
      if (this.#filledLines.length < MAX_LINES_NAMED) this.#filledLines.push(line);
    }
    if (count <= this.columns.length) return;
    for (let at = this.columns.length; at < count; at += 1)
      if (records.starts[at] !== records.ends[at])
        throw new Refusal(
          `line ${line} has ${count} values, but the first line of the table has ${this.columns.length}. Quote values that contain the delimiter, remove the extra values, or pass delimiter or skip_lines.`,
        );
    this.#cutRows += 1;
  }

  #addNotes() {
    const { filledRows, notes } = this;
    const lines = this.#filledLines.join(', ') + (filledRows > MAX_LINES_NAMED ? ', …' : '');
    if (filledRows > 0)
      notes.push(`Rows with fewer values than columns were filled with null: line ${lines}.`);
    if (this.#cutRows > 0)
      notes.push(
        `Rows that end with more delimiters than the first line, without values there: ${this.#cutRows}.`,
      );
    const unused = this.describeColumns().filter(({ isUsed }) => !isUsed).length;
    if (unused > 0) notes.push(`Columns at the end without name and values were left out: ${unused}.`);
    if (this.givenHeader === undefined)
      notes.push(
        this.header
          ? 'The first line was taken as column names; if it is a row, pass header: false.'
          : 'The first line was taken as a row, because it has a number, a date or an address; if it has the column names, pass header: true.',
      );
  }
}

/** @param {CsvRecords} records @param {Buffer} bytes */
function readTexts(records, bytes) {
  return Array.from({ length: records.count }, (_, at) => records.text(bytes, at));
}
