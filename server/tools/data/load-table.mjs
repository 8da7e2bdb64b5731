import { Refusal } from '../../kit/worker-refusal.mjs';
import { createTableFor, getMessage, quoteName, quoteText, withDatabase } from './duckdb.mjs';
import { detectFormat } from './file-format.mjs';
import { readCsv } from './read-csv.mjs';
import { readJson } from './read-json.mjs';

/**
 * A table to load from a file.
 * @typedef {object} Source
 * @property {string} path on this machine; never shown to the caller
 * @property {string} scratch path of a file that may be written, for another form of the text
 * @property {string} filename as the caller knows it
 * @property {string} table name of the table, an identifier
 * @property {'csv' | 'json' | 'parquet' | undefined} [format] detected if omitted
 * @property {string | undefined} [encoding] label of the Encoding standard; of CSV and JSON
 * @property {string | undefined} [delimiter] of a CSV; found in the first line if omitted
 * @property {string | undefined} [quote] of a CSV; empty if it has none
 * @property {string | undefined} [escape] of quotes within quoted values of a CSV; they are doubled
 *   if omitted
 * @property {boolean | undefined} [header] whether a CSV's first line has column names; found if
 *   omitted
 * @property {number | undefined} [skip_lines] lines in front of a CSV's table
 * @property {'.' | ',' | undefined} [decimal] of a CSV
 * @property {'.' | ',' | ' ' | "'" | undefined} [thousands] between groups of digits of a CSV
 * @property {import('./value-types.mjs').DateOrder | undefined} [dates] of a CSV
 */

/** @typedef {import('./read-csv.mjs').Dialect} Dialect */

/**
 * Loads a whole file into a table.
 * @param {import('./duckdb.mjs').Connection} connection
 * @param {Source} source
 * @returns {Promise<Dialect>} how the file was read
 * @throws {Refusal} naming the file and, if it is text, the line
 */
export function loadTable(connection, source) {
  return readSource(connection, source, async (query) => {
    await connection.run(`CREATE TABLE ${quoteName(source.table)} AS ${query}`);
  });
}

/**
 * Loads a whole file into a table of another database, which cannot read files.
 * @param {import('./duckdb.mjs').Connection} target
 * @param {Source} source
 * @returns {Promise<Dialect>} how the file was read
 * @throws {Refusal} naming the file and, if it is text, the line
 */
export function loadTableInto(target, source) {
  return withDatabase((connection) =>
    readSource(connection, source, async (query) => {
      const result = await connection.stream(query);
      await createTableFor(target, source.table, result);
      const appender = await target.createAppender(source.table);
      for (;;) {
        const chunk = await result.fetchChunk();
        if (!chunk || chunk.rowCount === 0) break;
        appender.appendDataChunk(chunk);
      }
      appender.closeSync();
    }),
  );
}

/**
 * @param {import('./duckdb.mjs').Connection} connection
 * @param {Source} source
 * @param {(query: string) => Promise<void>} load
 */
async function readSource(connection, source, load) {
  const format = source.format ?? (await detectFormat(source));
  try {
    const { query, dialect } = await read(connection, source, format);
    await load(query);
    return dialect;
  } catch (error) {
    if (error instanceof Refusal) throw new Refusal(`${source.filename}: ${error.message}`);
    // Further lines name options of DuckDB, which callers do not have.
    const text = getMessage(error).split('\n')[0];
    throw new Refusal(`${source.filename}: the file cannot be read as ${format}. ${text}`);
  }
}

/**
 * @param {import('./duckdb.mjs').Connection} connection
 * @param {Source} source
 * @param {'csv' | 'json' | 'parquet'} format
 * @returns {Promise<{ query: string, dialect: Dialect }>}
 */
async function read(connection, source, format) {
  if (format === 'csv') return await readCsv(source);
  if (format === 'json') return await readJson(connection, source);
  const query = `SELECT * FROM read_parquet(${quoteText(source.path)})`;
  return { query, dialect: { format, notes: [] } };
}
