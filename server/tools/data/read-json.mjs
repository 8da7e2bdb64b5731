import { quoteText } from './duckdb.mjs';

/**
 * @param {import('./duckdb.mjs').Connection} _connection
 * @param {import('./load-table.mjs').Source} source
 * @returns {Promise<{ query: string, dialect: import('./read-csv.mjs').Dialect }>}
 */
export async function readJson(_connection, { path }) {
  // Decompression is off, because a compressed file can expand a thousandfold.
  const query = `SELECT * FROM read_json(${quoteText(path)}, format = 'auto', compression = 'uncompressed', maximum_object_size = 16777216)`;
  return { query, dialect: { format: 'json', notes: [] } };
}
