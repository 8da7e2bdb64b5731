// Writes a table to a file, within bounds. The statements here are ours; no caller's SQL runs in such a database.
import { stat } from 'node:fs/promises';
import { Refusal } from '../../kit/worker-refusal.mjs';
import { messageOf, quoteName, quoteText } from './duckdb.mjs';

const MAX_FILE_BYTES = 100 * 1024 * 1024;
const LOOK_MS = 100;

/**
 * @typedef {object} Target
 * @property {string} path
 * @property {'csv' | 'json' | 'jsonl' | 'parquet'} format
 * @property {string} [delimiter] of a CSV
 */

/**
 * @param {import('./duckdb.mjs').Connection} connection
 * @param {string} table
 * @param {Target} target
 * @throws {Refusal} where the file would be larger than an asset may be
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
  }, LOOK_MS);
  try {
    await connection.run(`COPY ${quoteName(table)} TO ${quoteText(target.path)} (${optionsOf(target)})`);
    tooLarge ||= (await stat(target.path)).size > MAX_FILE_BYTES;
  } catch (error) {
    if (!tooLarge) throw new Refusal(`The ${target.format} file could not be written. ${messageOf(error)}`);
  } finally {
    clearInterval(watch);
  }
  if (tooLarge)
    throw new Refusal('The file would be larger than 100 MiB. Choose fewer rows or columns, or parquet.');
}

/** @param {Target} target */
function optionsOf({ format, delimiter = ',' }) {
  if (format === 'csv') return `FORMAT csv, HEADER true, DELIMITER ${quoteText(delimiter)}`;
  if (format === 'parquet') return 'FORMAT parquet, COMPRESSION zstd';
  return `FORMAT json, ARRAY ${format === 'json'}`;
}
