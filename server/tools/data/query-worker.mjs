import { StatementType } from '@duckdb/node-api';
import { Refusal, refusable } from '../../kit/worker-refusal.mjs';
import { createTableFor, getMessage, withDatabase, withLockedDatabase } from './duckdb.mjs';
import { toJsonValue, toRow } from './json-values.mjs';
import { loadTableInto } from './load-table.mjs';
import { admitSql } from './sql-guard.mjs';
import { uniqueNames } from './table-names.mjs';
import { writeTable } from './write-table.mjs';

/** Maximum number of rows of a result saved as a file. */
const MAX_SAVED_ROWS = 2_000_000;
const RESULT = 'result';

/**
 * @typedef {object} Query
 * @property {import('./load-table.mjs').Source[]} sources
 * @property {string} sql
 * @property {number} limit maximum number of rows to return
 * @property {import('./write-table.mjs').Target | undefined} [save] file for the whole result
 */

/** @param {Query} query */
export function runQuery(query) {
  return refusable(() => withLockedDatabase((connection) => answer(connection, query)));
}

/** @param {import('./duckdb.mjs').Connection} connection @param {Query} query */
async function answer(connection, { sources, sql, limit, save }) {
  await admitSql(
    connection,
    sql,
    sources.map(({ table }) => table),
  );
  const dialects = [];
  for (const source of sources)
    dialects.push({ table: source.table, ...(await loadTableInto(connection, source)) });
  const result = await start(connection, sql);
  const names = uniqueNames(result.columnNames());
  const types = result.columnTypes();
  const columns = names.map((name, at) => ({ name, type: String(types[at]) }));
  /** @type {Record<string, import('@duckdb/node-api').Json>[]} */
  const rows = [];
  /**
   * @param {(chunk: import('@duckdb/node-api').DuckDBDataChunk, count: number) => boolean}
   *   wantsMore
   */
  const read = async (wantsMore) => {
    for (let count = 0; ; ) {
      const chunk = await result.fetchChunk().catch(refuseSql);
      if (!chunk || chunk.rowCount === 0) return count;
      rows.push(
        ...chunk
          .convertRows(toJsonValue)
          .slice(0, limit - rows.length)
          .map((values) => toRow(names, values)),
      );
      count += chunk.rowCount;
      if (!wantsMore(chunk, count)) return count;
    }
  };
  const count = await (save ? saveAll({ result, names }, save, read) : read((_, soFar) => soFar <= limit));
  const total = save || count <= limit ? count : null;
  return { columns, rows, truncated: count > rows.length, total, dialects };
}

/** @param {import('./duckdb.mjs').Connection} connection @param {string} sql */
async function start(connection, sql) {
  try {
    const statements = await connection.extractStatements(sql);
    if (statements.count !== 1)
      throw new Refusal(`sql: contains ${statements.count} statements. Send exactly one SELECT.`);
    const statement = await statements.prepare(0);
    if (statement.statementType !== StatementType.SELECT)
      throw new Refusal('sql: only SELECT is supported (including WITH, FROM, DESCRIBE and SUMMARIZE).');
    return await statement.stream();
  } catch (error) {
    return refuseSql(error);
  }
}

/** @param {unknown} error @returns {never} */
function refuseSql(error) {
  throw error instanceof Refusal ? error : new Refusal(`sql: ${getMessage(error)}`);
}

/**
 * Saves the whole result through a second database: it may write files, as it runs no caller's SQL.
 * @param {{ result: import('@duckdb/node-api').DuckDBResult, names: string[] }} answer
 * @param {import('./write-table.mjs').Target} target
 * @param {(wantsMore: (chunk: import('@duckdb/node-api').DuckDBDataChunk, count: number) =>
 *   boolean) => Promise<number>} read
 * @returns {Promise<number>} rows
 */
function saveAll({ result, names }, target, read) {
  return withDatabase(async (connection) => {
    try {
      await createTableFor(connection, RESULT, result, names);
    } catch (error) {
      throw new Refusal(
        `sql: the type of a column cannot be saved. Cast the column to text. ${getMessage(error)}`,
      );
    }
    const appender = await connection.createAppender(RESULT);
    const count = await read((chunk, soFar) => {
      if (soFar > MAX_SAVED_ROWS)
        throw new Refusal(
          `sql: the result has more than ${MAX_SAVED_ROWS} rows. Filter the query or add a LIMIT.`,
        );
      appender.appendDataChunk(chunk);
      return true;
    });
    appender.closeSync();
    await writeTable(connection, RESULT, target);
    return count;
  });
}
