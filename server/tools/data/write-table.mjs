// Writes a table to a file, within a size limit. No caller's SQL runs in these databases.
import { stat } from 'node:fs/promises';
import { Refusal } from '../../kit/worker-refusal.mjs';
import { getMessage, quoteName, quoteText } from './duckdb.mjs';

const MAX_FILE_BYTES = 100 * 1024 * 1024;
const POLL_MS = 100;
const NESTED = /(\]|^(STRUCT|MAP|UNION).*)$/s;

/**
 * @typedef {object} Target
 * @property {string} path
 * @property {'csv' | 'json' | 'jsonl' | 'parquet'} format
 * @property {string | undefined} [delimiter] of a CSV
 */

/**
 * @param {import('./duckdb.mjs').Connection} connection
 * @param {string} table
 * @param {Target} target
 * @throws {Refusal} if the file would exceed the maximum size of an asset
 */
export async function writeTable(connection, table, target) {
  let tooLarge = false;
  const watch = setInterval(async () => {
    const size = await stat(target.path).then(
      (file) => file.size,
      () => 0,
    );
    if (size <= MAX_FILE_BYTES) return;
    tooLarge = true;
    connection.interrupt();
  }, POLL_MS);
  try {
    const query = await selectFor(connection, table, target);
    await connection.run(`COPY (${query}) TO ${quoteText(target.path)} (${buildCopyOptions(target)})`);
    tooLarge ||= (await stat(target.path)).size > MAX_FILE_BYTES;
  } catch (error) {
    if (!tooLarge) throw new Refusal(`The ${target.format} file cannot be written. ${getMessage(error)}`);
  } finally {
    clearInterval(watch);
  }
  if (tooLarge)
    throw new Refusal('The file would exceed 100 MiB. Select fewer rows or columns, or use parquet.');
}

/** Types that Parquet has no form for: DuckDB would write them as doubles. */
const WIDE_INTEGER = /^U?HUGEINT$/;

/**
 * Selects the table with what the format cannot hold in another form: in a CSV nested values are
 * JSON,
 * in Parquet integers of more than 64 bits are decimals.
 * @param {import('./duckdb.mjs').Connection} connection
 * @param {string} table
 * @param {Target} target
 */
async function selectFor(connection, table, { format }) {
  const described = await connection.runAndReadAll(`DESCRIBE ${quoteName(table)}`);
  const columns = described.getRowObjectsJS().map(({ column_name: name, column_type: type }) => {
    const field = quoteName(String(name));
    if (format === 'csv' && NESTED.test(String(type))) return `to_json(${field})::VARCHAR AS ${field}`;
    if (format === 'parquet' && WIDE_INTEGER.test(String(type)))
      return `${field}::DECIMAL(38, 0) AS ${field}`;
    return field;
  });
  return `SELECT ${columns.join(', ')} FROM ${quoteName(table)}`;
}

/** @param {Target} target */
function buildCopyOptions({ format, delimiter = ',' }) {
  if (format === 'csv') return `FORMAT csv, HEADER true, DELIMITER ${quoteText(delimiter)}`;
  if (format === 'parquet') return 'FORMAT parquet, COMPRESSION zstd';
  return `FORMAT json, ARRAY ${format === 'json'}`;
}
