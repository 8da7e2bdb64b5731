// Writes a table to a file, within a size limit. No caller's SQL runs in these databases.
import { stat } from 'node:fs/promises';
import { Refusal } from '../../kit/worker-refusal.mjs';
import { getMessage, quoteName, quoteText } from './duckdb.mjs';

const MAX_FILE_BYTES = 100 * 1024 * 1024;
const POLL_MS = 100;

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
    await connection.run(
      `COPY ${quoteName(table)} TO ${quoteText(target.path)} (${buildCopyOptions(target)})`,
    );
    tooLarge ||= (await stat(target.path)).size > MAX_FILE_BYTES;
  } catch (error) {
    if (!tooLarge) throw new Refusal(`The ${target.format} file cannot be written. ${getMessage(error)}`);
  } finally {
    clearInterval(watch);
  }
  if (tooLarge)
    throw new Refusal('The file would exceed 100 MiB. Select fewer rows or columns, or use parquet.');
}

/** @param {Target} target */
function buildCopyOptions({ format, delimiter = ',' }) {
  if (format === 'csv') return `FORMAT csv, HEADER true, DELIMITER ${quoteText(delimiter)}`;
  if (format === 'parquet') return 'FORMAT parquet, COMPRESSION zstd';
  return `FORMAT json, ARRAY ${format === 'json'}`;
}
