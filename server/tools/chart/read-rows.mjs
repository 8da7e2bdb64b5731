// Reads the rows of a chart from a file, by the rules of the data tool.
import { readFile } from 'node:fs/promises';
import { parseExactJson } from '../../kit/replace-inexact-numbers.mjs';
import { Refusal } from '../../kit/worker-refusal.mjs';
import { quoteName, withDatabase } from '../data/duckdb.mjs';
import { detectFormat } from '../data/file-format.mjs';
import { readRows as readTable } from '../data/json-values.mjs';
import { loadTable } from '../data/load-table.mjs';
import { toUtf8 } from '../data/source-encoding.mjs';
import { MAX_ROWS } from './limits.mjs';

/** @typedef {import('../data/load-table.mjs').Source} Source */

const TIME = /^(DATE|TIMESTAMP)/;

/**
 * Reads a CSV, a Parquet file or a JSON array of objects.
 * @param {Source} source
 * @returns {Promise<{ rows: object[], times: string[], notes: string[] }>} `times` are the columns
 *   of dates, which are text here
 * @throws {Refusal}
 */
export async function readRows(source) {
  try {
    const format = source.format ?? (await detectFormat(source));
    return format === 'json'
      ? await readJson(source)
      : await readColumns({ header: true, ...source, format });
  } catch (error) {
    throw error instanceof Refusal ? new Refusal(`data: ${error.message}`) : error;
  }
}

/** @param {Source} source */
function readColumns(source) {
  return withDatabase(async (connection) => {
    const { notes } = await loadTable(connection, source);
    const table = quoteName(source.table);
    const [{ rows: count } = {}] = readTable(
      await connection.runAndReadAll(`SELECT count(*) AS rows FROM ${table}`),
    );
    checkCount(Number(count));
    const read = await connection.runAndReadAll(`FROM ${table}`);
    const times = read.columnNames().filter((_, at) => TIME.test(String(read.columnType(at))));
    return { rows: readTable(read), times, notes };
  });
}

/** Not through a table: records keep their own fields and types. @param {Source} source */
async function readJson(source) {
  const { path, offset, notes } = await toUtf8(source, false);
  const text = (await readFile(path)).toString('utf8', offset);
  const rows = tryParse(text);
  if (!Array.isArray(rows) || rows.some((row) => typeof row !== 'object' || row === null)) throw wrongShape();
  checkCount(rows.length);
  return { rows, times: [], notes };
}

/** @param {string} text */
function tryParse(text) {
  try {
    return parseExactJson(text);
  } catch {
    throw wrongShape();
  }
}

/** @param {number} count */
function checkCount(count) {
  if (count === 0) throw wrongShape();
  if (count > MAX_ROWS)
    throw new Refusal(`the file has ${count} rows; the limit is ${MAX_ROWS}. Aggregate them first.`);
}

function wrongShape() {
  return new Refusal('must be a CSV with a header, a Parquet file or a JSON array of objects, with rows.');
}
