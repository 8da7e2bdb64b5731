import { refusable } from '../../kit/worker-refusal.mjs';
import { quoteName, withDatabase } from './duckdb.mjs';
import { readRows } from './json-values.mjs';
import { loadTable } from './load-table.mjs';

const SAMPLE_ROWS = 5;
const MAX_VALUE_CHARS = 200;
const NUMBER = /^(U?(TINY|SMALL|BIG|HUGE)INT|U?INTEGER|FLOAT|DOUBLE|DECIMAL.*)$/;
/** Types without a meaningful order. */
const NESTED = /(\]|^(STRUCT|MAP|UNION|BLOB|JSON|VARIANT).*)$/;

/**
 * Profiles a table, column by column.
 * @param {{ source: import('./load-table.mjs').Source, maxColumns: number, topValues: number }}
 *   payload
 */
export function profile({ source, maxColumns, topValues }) {
  const profileTable = async (/** @type {import('./duckdb.mjs').Connection} */ connection) => {
    const dialect = await loadTable(connection, source);
    const table = quoteName(source.table);
    /** @param {string} sql */
    const queryRows = async (sql) => readRows(await connection.runAndReadAll(sql));
    const described = await queryRows(`DESCRIBE ${table}`);
    const [{ rows = 0 } = {}] = await queryRows(`SELECT count(*) AS rows FROM ${table}`);
    const columns = [];
    for (const { column_name: name, column_type: type } of described.slice(0, maxColumns)) {
      const field = quoteName(String(name));
      const [facts = {}] = await queryRows(`SELECT ${buildAggregates(field, String(type))} FROM ${table}`);
      const top = NESTED.test(String(type))
        ? []
        : await queryRows(
            `SELECT left(${field}::VARCHAR, ${MAX_VALUE_CHARS}) AS value, count(*) AS count FROM ${table}
             WHERE ${field} IS NOT NULL GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT ${topValues}`,
          );
      columns.push({ name: String(name), type: String(type), ...facts, top_values: top });
    }
    const samples = await queryRows(
      `SELECT ${buildSampleColumns(described.slice(0, maxColumns))} FROM ${table} LIMIT ${SAMPLE_ROWS}`,
    );
    return { rows: Number(rows), column_count: described.length, columns, samples, dialect };
  };
  return refusable(() => withDatabase(profileTable));
}

/** Builds the aggregates of one column. @param {string} field @param {string} type */
function buildAggregates(field, type) {
  const facts = [`count(*) - count(${field}) AS nulls`];
  if (NESTED.test(type)) return facts.join(', ');
  facts.push(`approx_count_distinct(${field}) AS distinct_approximately`);
  // Text is cut, because its length is unbounded; numbers stay numbers.
  for (const bound of ['min', 'max']) {
    const value = `${bound}(${field})`;
    facts.push(`${NUMBER.test(type) ? value : `left(${value}::VARCHAR, ${MAX_VALUE_CHARS})`} AS ${bound}`);
  }
  if (!NUMBER.test(type)) return facts.join(', ');
  const number = `${field}::DOUBLE`;
  // Infinities have no mean, and squares of larger numbers overflow, which fails the query.
  const filter = `FILTER (abs(${number}) < 1e150)`;
  facts.push(`avg(${number}) ${filter} AS mean`, `stddev_samp(${number}) ${filter} AS stddev`);
  for (const [share, name] of /** @type {const} */ ([
    [0.25, 'q25'],
    [0.5, 'median'],
    [0.75, 'q75'],
  ]))
    facts.push(`quantile_cont(${number}, ${share}) ${filter} AS ${name}`);
  return facts.join(', ');
}

/** @param {Record<string, unknown>[]} described */
function buildSampleColumns(described) {
  const short = described.map(({ column_name: name, column_type: type }) => {
    const field = quoteName(String(name));
    return type === 'VARCHAR' || NESTED.test(String(type))
      ? `left(${field}::VARCHAR, ${MAX_VALUE_CHARS}) AS ${field}`
      : field;
  });
  return short.join(', ');
}
