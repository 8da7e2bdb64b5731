// Reads a CSV: decides dialect and types over the whole file, and gives DuckDB explicit options,
// so that nothing is left to its detection.
import { open } from 'node:fs/promises';
import { Refusal } from '../../kit/worker-refusal.mjs';
import { chooseDelimiter, readPreamble } from './csv-dialect.mjs';
import { CsvRecords, MAX_RECORD_BYTES } from './csv-records.mjs';
import { CsvSurvey } from './csv-survey.mjs';
import { quoteName, quoteText } from './duckdb.mjs';
import { explainText } from './explain-text.mjs';
import { readBlocks } from './file-blocks.mjs';
import { writePlainCsv } from './plain-csv.mjs';
import { toUtf8 } from './source-encoding.mjs';
import { uniqueNames } from './table-names.mjs';
import { chooseType, ValueTypes } from './value-types.mjs';

const HEAD_BYTES = 1024 * 1024;
/** DuckDB's default; its buffers grow with this limit. */
const USUAL_LINE_BYTES = 2_000_000;
const DAY_FORMATS = { dmy: '%d{}%m{}%Y', mdy: '%m{}%d{}%Y' };
const TIME_FORMATS = ['%H:%M', '%H:%M:%S', '%I:%M %p', '%I:%M:%S %p', '%I:%M%p', '%I:%M:%S%p'];

/**
 * How a file was read, for the caller.
 * @typedef {object} Dialect
 * @property {'csv' | 'json' | 'parquet'} format
 * @property {string} [encoding]
 * @property {string | null} [delimiter] null for one column
 * @property {string} [quote]
 * @property {string | undefined} [escape] as the caller says
 * @property {boolean} [header]
 * @property {string} [decimal]
 * @property {string | undefined} [thousands] as the caller says
 * @property {string} [dates]
 * @property {number} [skipped_lines] lines that are no rows: before the table, and empty ones
 * @property {number} [filled_rows] rows with fewer values than columns
 * @property {string[]} notes
 */

/**
 * @param {import('./load-table.mjs').Source} source
 * @returns {Promise<{ query: string, dialect: Dialect }>} `query` selects the table
 * @throws {Refusal} with the line that cannot be read
 */
export async function readCsv(source) {
  const file = await toUtf8(source, true);
  const { quote = '"', decimal = '.', thousands, dates = 'iso' } = source;
  if (decimal === thousands)
    throw new Refusal('decimal, thousands: must differ. Pass decimal: "," for numbers such as 1.234,56.');
  const start = await findTable(source, file);
  const { delimiter } = start;
  const records = () => new CsvRecords({ delimiter, quote, escape: source.escape });
  const types = new ValueTypes({ decimal, dates, thousands });
  const survey = new CsvSurvey(types, source.header);
  const scanner = records();
  scanner.lastLine = start.lines;
  await forEachRecord(file.path, start.offset, scanner, (bytes, length) =>
    survey.add(scanner, bytes, length),
  );
  survey.finish(scanner);
  const columns = survey.describeColumns();
  const names = uniqueNames(columns.map(({ name }) => name));
  const isPlain = survey.isPlain && (survey.header || file.offset === 0);
  let { path } = file;
  let skip = start.lines + (survey.header ? 1 : 0);
  let read = { delimiter: delimiter ?? '', quote };
  if (!isPlain) {
    path = source.scratch === file.path ? `${source.scratch}.csv` : source.scratch;
    await writePlainCsv(path, survey.columns.length, survey.header, (write) => {
      const copied = records();
      return forEachRecord(file.path, start.offset, copied, (bytes) => write(copied, bytes));
    });
    skip = 0;
    read = { delimiter: ',', quote: '"' };
  }
  const found = columns.map(({ column }, at) => ({
    name: names[at] ?? '',
    type: chooseType(column),
    column,
  }));
  const reader = buildReader(path, read, skip, survey, found);
  const selected = found.flatMap((column, at) => (columns[at]?.isUsed ? [buildColumn(column, types)] : []));
  return {
    query: `SELECT ${selected.join(', ')} FROM ${reader}`,
    dialect: {
      format: 'csv',
      encoding: file.encoding,
      delimiter,
      quote,
      escape: source.escape,
      header: survey.header,
      decimal,
      thousands,
      dates,
      skipped_lines: survey.skippedLines + start.lines,
      filled_rows: survey.filledRows,
      notes: [...file.notes, ...survey.notes, ...explainText(found, types)],
    },
  };
}

/** Finds the table's first line and its delimiter. */
/**
 * @param {import('./load-table.mjs').Source} source
 * @param {import('./source-encoding.mjs').Utf8File} file
 */
async function findTable(source, file) {
  const { quote = '"', decimal, filename, skip_lines: skip = 0 } = source;
  const handle = await open(file.path);
  const head = Buffer.alloc(HEAD_BYTES);
  const { bytesRead } = await handle.read(head, 0, HEAD_BYTES, file.offset).finally(() => handle.close());
  const preamble = readPreamble(head.subarray(0, bytesRead), skip);
  const delimiter =
    source.delimiter ??
    preamble.delimiter ??
    chooseDelimiter(head.subarray(preamble.offset, bytesRead), {
      quote,
      escape: source.escape,
      filename,
      decimal,
    });
  for (const [field, sign] of Object.entries({
    delimiter: delimiter ?? '',
    quote,
    escape: source.escape ?? quote,
  }))
    if (sign > '\x7f' || sign === '\n' || sign === '\r')
      throw new Refusal(`${field}: ${JSON.stringify(sign)} cannot be used. Pass an ASCII character.`);
  if (delimiter === quote) throw new Refusal('delimiter, quote: must differ.');
  if (delimiter === source.escape) throw new Refusal('delimiter, escape: must differ.');
  return { offset: file.offset + preamble.offset, lines: preamble.lines, delimiter };
}

/**
 * @param {string} path
 * @param {number} offset
 * @param {CsvRecords} records
 * @param {(bytes: Buffer, length: number) => Promise<void> | undefined | void} visit `length` in
 *   bytes
 */
async function forEachRecord(path, offset, records, visit) {
  const read = await readBlocks(
    path,
    offset,
    async (bytes, to, isLast) => {
      let at = 0;
      while (at < to) {
        const next = records.next(bytes, at, to, isLast);
        if (next < 0) break;
        const waits = visit(bytes, next - at);
        if (waits) await waits;
        at = next;
      }
      return at;
    },
    MAX_RECORD_BYTES,
  );
  if (!read)
    throw new Refusal(
      `line ${records.lastLine + 1} begins a row of more than 16 MiB. Is a quote not closed, or is the delimiter another?`,
    );
}

/**
 * @param {string} path
 * @param {{ delimiter: string, quote: string }} dialect
 * @param {number} skip lines
 * @param {CsvSurvey} survey
 * @param {{ name: string, type: string, column: import('./value-types.mjs').ColumnTypes }[]}
 *   columns
 */
function buildReader(path, { delimiter, quote }, skip, survey, columns) {
  const types = columns.map(
    ({ name, type }) => `${quoteText(name)}: ${quoteText(readAs(type, survey.types))}`,
  );
  const options = [
    'auto_detect = false',
    // A compressed file can expand a thousandfold.
    "compression = 'none'",
    // The strict one fails at a line break in quotes that is not that of the lines.
    'strict_mode = false',
    'header = false',
    "nullstr = ''",
    `skip = ${skip}`,
    `delim = ${quoteText(delimiter)}`,
    `quote = ${quoteText(quote)}`,
    `escape = ${quoteText(quote)}`,
    `columns = {${types.join(', ')}}`,
  ];
  if (survey.longestRecord > USUAL_LINE_BYTES) {
    const most = 2 * survey.longestRecord;
    options.push(`max_line_size = ${most}`, `buffer_size = ${2 * most}`);
  }
  return `read_csv(${[quoteText(path), ...options].join(', ')})`;
}

const NUMBER = /^(BIGINT|HUGEINT|DOUBLE|DECIMAL)/;
/**
 * What DuckDB reads a column as; the rest is a conversion.
 * @param {string} type
 * @param {ValueTypes} types
 */
function readAs(type, types) {
  const isConverted = type.startsWith('SLASHED') || (types.hasForeignNumbers && NUMBER.test(type));
  return isConverted ? 'VARCHAR' : type;
}

/**
 * @param {{ name: string, type: string }} column
 * @param {ValueTypes} types
 */
function buildColumn({ name, type }, types) {
  const { dates } = types;
  const field = quoteName(name);
  if (type.startsWith('SLASHED') && dates !== 'iso') {
    const isDate = type === 'SLASHED_DATE';
    const days = ['.', '/', '-'].map((sign) => DAY_FORMATS[dates].replaceAll('{}', sign));
    const formats = isDate ? days : days.flatMap((day) => TIME_FORMATS.map((time) => `${day} ${time}`));
    const list = formats.map(quoteText).join(', ');
    return `strptime(trim(${field}), [${list}])${isDate ? '::DATE' : ''} AS ${field}`;
  }
  const isForeign = types.hasForeignNumbers && NUMBER.test(type);
  return isForeign ? `${types.buildNumber(field)}::${type} AS ${field}` : field;
}
