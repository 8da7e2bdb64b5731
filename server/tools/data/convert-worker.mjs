import { refusable } from '../../kit/worker-refusal.mjs';
import { quoteName, withDatabase } from './duckdb.mjs';
import { toJsonValue } from './json-values.mjs';
import { loadTable } from './load-table.mjs';
import { writeTable } from './write-table.mjs';

/**
 * Converts a table file to another format.
 * @param {{ source: import('./load-table.mjs').Source,
 *   target: import('./write-table.mjs').Target }} payload
 */
export function convert({ source, target }) {
  const work = async (/** @type {import('./duckdb.mjs').Connection} */ connection) => {
    const dialect = await loadTable(connection, source);
    await writeTable(connection, source.table, target);
    const table = quoteName(source.table);
    const columns = await connection.runAndReadAll(`DESCRIBE ${table}`);
    const counted = await connection.runAndReadAll(`SELECT count(*) AS rows FROM ${table}`);
    return {
      dialect,
      rows: Number(counted.convertRowObjects(toJsonValue)[0]?.rows),
      columns: columns
        .convertRowObjects(toJsonValue)
        .map((column) => ({ name: String(column.column_name), type: String(column.column_type) })),
    };
  };
  return refusable(() => withDatabase(work));
}
