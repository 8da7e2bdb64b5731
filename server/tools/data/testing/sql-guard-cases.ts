import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect } from 'vitest';
import { withDatabase, withLockedDatabase } from '../duckdb.mjs';
import { TABLES } from '../legitimate-queries';
import { runQuery } from '../query-worker.mjs';
import { SCALAR_FUNCTIONS } from '../sql-functions.mjs';
import { admitSql } from '../sql-guard.mjs';

/** Returns a function that runs SQL over the tables of the valid queries; for one test file. */
export function createTableQuery() {
  const folder = mkdtempSync(join(tmpdir(), 'sql-guard-'));
  const sources = Object.entries(TABLES).map(([table, text]) => {
    const path = join(folder, `${table}.csv`);
    writeFileSync(path, text);
    return { table, path, scratch: `${path}.utf8`, filename: `${table}.csv` };
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  // Loading a table takes longer than the query.
  return (sql: string) =>
    runQuery({ sources: sources.filter(({ table }) => sql.toLowerCase().includes(table)), sql, limit: 5 });
}

/** The reason why the guard rejects a statement; null if it admits it. */
export const getRejection = (sql: string) =>
  withLockedDatabase((connection) => admitSql(connection, sql, ['sales', 'products'])).then(
    () => null,
    (error: Error) => error.message,
  );
/** Runs SQL in DuckDB without the guard. */
export const runUnguarded = (sql: string) =>
  withDatabase(async (connection) => (await connection.runAndReadAll(sql)).getRows());

/** Spellings of one name. */
const spellings = (name: string) => [
  name,
  name.toUpperCase(),
  name.replace(/_./g, (part) => part.toUpperCase()),
  `"${name}"`,
  `"${name.toUpperCase()}"`,
  `main.${name}`,
  `system.main.${name}`,
  `"system"."MAIN"."${name}"`,
  `pg_catalog.${name}`,
  `/* */ ${name} --\n `,
];

/**
 * Functions that run statements, access memory or files, or expose data that is not the caller's.
 */
export const DANGEROUS_TABLES = `
  json_execute_serialized_sql arrow_scan arrow_scan_dumb seq_scan query query_table enable_logging disable_logging
  enable_profiling disable_profiling truncate_duckdb_logs duckdb_logs duckdb_logs_parsed duckdb_settings duckdb_secrets
  duckdb_secret_types which_secret duckdb_extensions duckdb_databases duckdb_variables duckdb_functions duckdb_tables
  duckdb_columns duckdb_memory duckdb_temporary_files duckdb_external_file_cache pragma_database_size
  pragma_metadata_info pragma_storage_info pragma_user_agent pragma_version pragma_table_info read_csv read_csv_auto
  read_json read_json_auto read_json_objects read_ndjson read_parquet parquet_scan parquet_metadata parquet_schema
  parquet_kv_metadata parquet_full_metadata parquet_bloom_probe read_text read_blob read_duckdb glob sniff_csv checkpoint
  force_checkpoint enable_peg_parser disable_peg_parser check_peg_parser sql_auto_complete histogram histogram_values
  duckdb_profiling_settings summary test_all_types test_vector_types repeat_row`
  .trim()
  .split(/\s+/);
export const DANGEROUS_SCALARS = `
  json_serialize_sql json_deserialize_sql json_serialize_plan getenv current_setting getvariable nextval currval
  write_log parse_duckdb_log_message sleep_ms pg_sleep current_query current_query_id current_connection_id txid_current
  current_transaction_id get_block_size version in_search_path cast_to_type make_type get_type replace_type finalize
  combine create_sort_key __internal_decompress_string variant_bytes_to_variant st_geomfromwkb stats vector_type
  pg_get_viewdef current_schemas remap_struct`
  .trim()
  .split(/\s+/);

/** Statements with an expression in every possible place. */
export const PLACES: readonly ((expression: string) => string)[] = [
  (e) => `SELECT ${e}`,
  (e) => `SELECT 1 + coalesce(${e}, 2)`,
  (e) => `FROM sales WHERE ${e}`,
  (e) => `SELECT count(*) FROM sales GROUP BY ${e}`,
  (e) => `SELECT count(*) FROM sales GROUP BY GROUPING SETS ((region), (${e}))`,
  (e) => `SELECT region FROM sales GROUP BY region HAVING ${e}`,
  (e) => `FROM sales QUALIFY ${e}`,
  (e) => `FROM sales ORDER BY ${e} DESC`,
  (e) => `FROM sales LIMIT (SELECT ${e})`,
  (e) => `FROM sales LIMIT 1 OFFSET (${e})`,
  (e) => `SELECT DISTINCT ON (${e}) region FROM sales`,
  (e) => `FROM sales a JOIN products b ON ${e}`,
  (e) => `FROM sales a ASOF JOIN products b ON a.product = b.product AND a.date >= ${e}`,
  (e) => `FROM sales, LATERAL (SELECT ${e})`,
  (e) => `SELECT sum(units) FILTER (WHERE ${e}) FROM sales`,
  (e) => `SELECT list(units ORDER BY ${e}) FROM sales`,
  (e) => `SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY ${e}) FROM sales`,
  (e) => `SELECT sum(units) OVER (PARTITION BY ${e} ORDER BY 1) FROM sales`,
  (e) => `SELECT sum(units) OVER (ORDER BY ${e}) FROM sales`,
  (e) => `SELECT sum(units) OVER w FROM sales WINDOW w AS (PARTITION BY ${e})`,
  (e) => `SELECT sum(units) OVER (ORDER BY units ROWS BETWEEN ${e} PRECEDING AND CURRENT ROW) FROM sales`,
  (e) => `SELECT lag(units, ${e}) OVER (ORDER BY 1) FROM sales`,
  (e) => `SELECT lag(units, 1, ${e}) OVER (ORDER BY 1) FROM sales`,
  (e) => `SELECT CASE WHEN ${e} THEN 1 END`,
  (e) => `SELECT CASE 1 WHEN 1 THEN ${e} ELSE 2 END`,
  (e) => `SELECT CAST(${e} AS VARCHAR)::INTEGER`,
  (e) => `SELECT TRY(${e})`,
  (e) => `SELECT (${e} COLLATE NOCASE) BETWEEN 1 AND ${e}`,
  (e) => `SELECT list_transform([1], lambda x: ${e})`,
  (e) => `SELECT list_transform([1], x -> ${e})`,
  (e) => `SELECT [${e} FOR x IN [1] IF x > 0]`,
  (e) => `SELECT [x FOR x IN [1] IF ${e}]`,
  (e) => `SELECT [1, ${e}], {'a': ${e}}, MAP {'a': ${e}}, (1, ${e})`,
  (e) => `SELECT [1][${e}], [1][${e}:2], {'a': 1}[${e}]`,
  (e) => `SELECT 1 IN (2, ${e}), EXISTS (SELECT ${e}), 1 = ANY (SELECT ${e}), ARRAY(SELECT ${e})`,
  (e) => `WITH a AS (SELECT ${e}) FROM a`,
  (e) => `WITH a AS MATERIALIZED (SELECT ${e}) SELECT 1`,
  (e) => `WITH RECURSIVE a(n) AS (SELECT 1 UNION ALL SELECT n + ${e} FROM a) FROM a`,
  (e) => `WITH RECURSIVE a(n) AS (SELECT ${e} UNION SELECT n FROM a) FROM a`,
  (e) => `VALUES (1), (${e})`,
  (e) => `SELECT 1 UNION ALL BY NAME SELECT ${e}`,
  (e) => `(SELECT 1) EXCEPT (SELECT ${e}) ORDER BY 1`,
  (e) => `FROM range(${e})`,
  (e) => `FROM unnest([${e}]) WITH ORDINALITY`,
  (e) => `SELECT unnest([${e}], recursive := true)`,
  (e) => `FROM sales PIVOT (sum(${e}) FOR region IN ('North'))`,
  (e) => `FROM sales PIVOT (sum(units) FOR ${e} IN ('North'))`,
  (e) => `PIVOT sales ON (${e}) IN ('North') USING sum(units)`,
  (e) => `UNPIVOT (SELECT ${e} AS a) ON a`,
  (e) => `UNPIVOT sales ON (${e})`,
  (e) => `SELECT COLUMNS(c -> ${e}) FROM sales`,
  (e) => `SELECT * REPLACE (${e} AS region) FROM sales`,
  (e) => `DESCRIBE SELECT ${e}`,
  (e) => `SUMMARIZE SELECT ${e} AS a`,
  (e) => `FROM (DESCRIBE SELECT ${e})`,
  (e) => `SELECT INTERVAL (${e}) DAY, now() AT TIME ZONE ${e}, extract(year FROM ${e})`,
  (e) => `SELECT a: ${e}`,
  (e) => `SELECT 'a' LIKE ${e} ESCAPE '!', 'a' SIMILAR TO ${e}`,
  (e) => `SELECT strftime(now(), ${e} || '%Y')`,
];

/** Requires that the guard refuses a table function in every spelling and place. */
export async function expectTableFunctionRefused(name: string): Promise<void> {
  for (const spelling of spellings(name)) {
    const message = await getRejection(`SELECT * FROM ${spelling}('x', 1)`);
    expect(message, spelling).toContain(`the function \`${name}\` is not available`);
  }
  for (const sql of [
    `FROM sales, ${name}('x')`,
    `FROM sales JOIN LATERAL (FROM ${name}(region)) t ON true`,
    `SELECT (SELECT count(*) FROM ${name}('x') AS t(a))`,
    `WITH a AS (FROM ${name}(path := 'x')) SELECT 1`,
    `DESCRIBE FROM ${name}('x')`,
    `SUMMARIZE FROM ${name}('x')`,
    `SELECT 1 UNION ALL FROM ${name}('x')`,
    `FROM ${name}('x') PIVOT (count(*) FOR a IN (1))`,
    `FROM ${name}((SELECT 1)) WITH ORDINALITY`,
    `FROM ${name}('x') TABLESAMPLE 1%`,
  ])
    expect(await getRejection(sql), sql).toContain('is not available');
}

/** Requires that the guard refuses a function in every spelling and form of a call. */
export async function expectFunctionRefused(name: string): Promise<void> {
  const calls = [
    ...spellings(name).map((spelling) => `${spelling}('x', 1)`),
    `region.${name}()`,
    `sales.region.${name}('x')`,
    `('x').${name}()`,
    `region.upper().${name}()`,
    `"region"."${name}"()`,
    `${name}(DISTINCT 'x' ORDER BY 1)`,
    `${name}(1) OVER ()`,
  ];
  for (const call of calls)
    expect(await getRejection(`SELECT ${call} FROM sales`), call).toContain(`\`${name}\``);
}

/** Requires that the guard refuses functions in this place of a statement. */
export async function expectFunctionRefusedAt(place: (expression: string) => string): Promise<void> {
  const refused = (name: string) =>
    new RegExp(`the function \`${name}\` is not available|syntax error|Cannot pivot`, 'i');
  expect(await getRejection(place('getenv()'))).toMatch(refused('getenv'));
  expect(await getRejection(place("(SELECT a FROM read_text('/x') t(a))"))).toMatch(refused('read_text'));
}

/**
 * Checks with random calls in random places that no admitted statement has a forbidden function.
 * @returns the number of admitted statements
 */
export async function expectOnlyAllowedFunctions(known: readonly string[], numRuns: number): Promise<number> {
  const names = [...new Set(known)].filter((name) => /^\w+$/.test(name));
  const call = fc.tuple(fc.constantFrom(...names), fc.nat(9)).map(([name, at]) => ({
    text: `${spellings(name)[at]}(1)`,
    name: name.toLowerCase(),
  }));
  const nested = fc.array(call, { minLength: 1, maxLength: 4 });
  let admitted = 0;
  await fc.assert(
    fc.asyncProperty(
      nested,
      fc.array(fc.constantFrom(...PLACES), { minLength: 1, maxLength: 3 }),
      async (calls, places) => {
        const inner = calls.map(({ text }) => text).join(' || ');
        const sql = places.reduce((expression, place) => `(${place(expression)})`, inner).slice(1, -1);
        if ((await getRejection(sql)) !== null) return;
        admitted += 1;
        expect(
          calls.filter(({ name }) => !SCALAR_FUNCTIONS.has(name)),
          sql,
        ).toEqual([]);
      },
    ),
    { numRuns },
  );
  return admitted;
}
