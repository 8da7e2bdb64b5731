import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withDatabase } from './duckdb.mjs';
import { LEGITIMATE_QUERIES, TABLES } from './legitimate-queries';
import { runQuery } from './query-worker.mjs';
import { SCALAR_FUNCTIONS, TABLE_FUNCTIONS } from './sql-functions.mjs';
import { admitSql } from './sql-guard.mjs';

const folder = mkdtempSync(join(tmpdir(), 'sql-guard-'));
const sources = Object.entries(TABLES).map(([table, text]) => {
  const path = join(folder, `${table}.csv`);
  writeFileSync(path, text);
  return { table, path, filename: `${table}.csv` };
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Null where it is admitted. */
const refusal = (sql: string) =>
  admitSql(sql, ['sales', 'products']).then(
    () => null,
    (error: Error) => error.message,
  );
const ask = (sql: string) =>
  withDatabase(async (connection) => (await connection.runAndReadAll(sql)).getRows());
const isAllowed = (name: string) => SCALAR_FUNCTIONS.has(name) || TABLE_FUNCTIONS.has(name);

let catalogue: { name: string; kind: string; macro: string | null }[] = [];
beforeAll(async () => {
  const rows = await ask('SELECT function_name, function_type, macro_definition FROM duckdb_functions()');
  catalogue = rows.map(([name, kind, macro]) => ({
    name: String(name),
    kind: String(kind),
    macro: macro === null ? null : String(macro),
  }));
});

describe('legitimate SQL', () => {
  it.each(LEGITIMATE_QUERIES)('still runs: %s', async (sql) => {
    const result = await runQuery({ sources, sql, limit: 5 });
    expect(result).toMatchObject({ ok: true });
  });

  it.each([
    ['PIVOT sales ON region USING sum(units)', /PIVOT needs its values/],
    ['SELECT current_setting(1)', /^sql: the function `current_setting` is not available\. Possible are/],
    ['FROM read_csv(1)', /^sql: the function `read_csv` is not available in FROM\. .*give files as files/],
    ['SELECT 1::POINTER', /^sql: the type `POINTER` is not available/],
    ['FROM orders', /^sql: there is no table `orders`\. The tables are sales, products/],
    ['SELECT 1; SELECT 2', /^sql: has 2 statements/],
    ['INSTALL httpfs', /^sql: only one SELECT is possible/],
    ['SELECT $1', /^sql: has a parameter/],
    ['SELECT 1\0 FROM sales', /^sql: has the character U\+0000/],
    ['SELECT FROM WHERE', /^sql: Parser Error: .*\n\nLINE 1:/s],
    ['SELECT from_json(j, structure) FROM sales', /structure as text/],
    ["SELECT from_json('1', '{a}')", /structure of from_json is not JSON/],
    [`SELECT ${'['.repeat(1_200)}1${']'.repeat(1_200)}`, /^sql: .*depth/],
    [`${'SELECT * FROM ('.repeat(500)}SELECT 1${')'.repeat(500)}`, /^sql: .*(nested too deeply|depth)/],
  ])('gets an answer that says what to change: %s', async (sql, message) => {
    expect(await refusal(sql)).toMatch(message);
  });
});

/**
 * Functions that run statements, use memory by address, write files, or show what is not the
 * caller's.
 */
const DANGEROUS_TABLES = `
  json_execute_serialized_sql arrow_scan arrow_scan_dumb seq_scan query query_table enable_logging disable_logging
  enable_profiling disable_profiling truncate_duckdb_logs duckdb_logs duckdb_logs_parsed duckdb_settings duckdb_secrets
  duckdb_secret_types which_secret duckdb_extensions duckdb_databases duckdb_variables duckdb_functions duckdb_tables
  duckdb_columns duckdb_memory duckdb_temporary_files duckdb_external_file_cache pragma_database_size
  pragma_metadata_info pragma_storage_info pragma_user_agent pragma_version pragma_table_info read_csv read_csv_auto
  read_json read_json_auto read_json_objects read_ndjson read_parquet parquet_scan parquet_metadata parquet_schema
  parquet_kv_metadata parquet_full_metadata parquet_bloom_probe read_text read_blob read_duckdb glob sniff_csv checkpoint
  force_checkpoint enable_peg_parser disable_peg_parser check_peg_parser sql_auto_complete histogram histogram_values
  duckdb_profiling_settings summary test_all_types test_vector_types repeat_row`;
const DANGEROUS_SCALARS = `
  json_serialize_sql json_deserialize_sql json_serialize_plan getenv current_setting getvariable nextval currval
  write_log parse_duckdb_log_message sleep_ms pg_sleep current_query current_query_id current_connection_id txid_current
  current_transaction_id get_block_size version in_search_path cast_to_type make_type get_type replace_type finalize
  combine create_sort_key __internal_decompress_string variant_bytes_to_variant st_geomfromwkb stats vector_type
  pg_get_viewdef current_schemas remap_struct`;
/** Names that DuckDB's parser gives. */
const PARSER_NAMES = new Set(['count_star', 'rank_dense']);
const words = (text: string) => text.split(/\s+/).filter(Boolean);

/** One name as it can be written. */
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

/** Where an expression can stand. */
const PLACES: readonly ((expression: string) => string)[] = [
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

describe('dangerous SQL is refused before it is planned', () => {
  it.each(words(DANGEROUS_TABLES))('the table function %s, however it is written', async (name) => {
    for (const spelling of spellings(name)) {
      const message = await refusal(`SELECT * FROM ${spelling}('x', 1)`);
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
      expect(await refusal(sql), sql).toContain('is not available');
  });

  it.each(words(DANGEROUS_SCALARS))('the function %s, however it is written', async (name) => {
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
      expect(await refusal(`SELECT ${call} FROM sales`), call).toContain(`\`${name}\``);
  });

  it.each(PLACES.map((place) => [place('getenv()'), place]))(
    'a function in its place: %s',
    async (sql, place) => {
      expect(await refusal(sql)).toMatch(/the function `getenv` is not available|syntax error|Cannot pivot/i);
      const reason = await refusal(place("(SELECT a FROM read_text('/x') t(a))"));
      expect(reason).toMatch(/the function `read_text` is not available|syntax error|Cannot pivot/i);
    },
  );

  it.each([
    "FROM '/etc/passwd'",
    "FROM 'x.csv'",
    'FROM "x.parquet"',
    "DESCRIBE 'x.csv'",
    "SUMMARIZE 'x.csv'",
    'FROM duckdb_settings',
    'FROM main.duckdb_tables',
    'FROM sqlite_master',
    'FROM pg_tables',
    'FROM pg_catalog.pg_settings',
    'FROM information_schema.tables',
    'FROM system.information_schema.tables',
    'FROM sales, duckdb_logs',
    'WITH duckdb_logs AS (FROM duckdb_logs) FROM duckdb_logs',
    'WITH "DuckDB_Logs" AS (SELECT 1) SELECT 1',
    `WITH "x.csv" AS (SELECT 1) FROM 'x.csv'`,
    'SHOW DATABASES',
    'SHOW ALL TABLES',
    'SHOW VARIABLES',
    'SHOW TABLES FROM system',
    'DESCRIBE',
    'FROM sales AT (VERSION => 1)',
    'SELECT sum(units) EXPORT_STATE FROM sales',
    'SELECT NULL::POINTER',
    "SELECT POINTER '1'",
    'SELECT TRY_CAST(1 AS "Pointer"[])',
    'SELECT NULL::STRUCT(a INTEGER, b MAP(VARCHAR, POINTER[]))',
    'SELECT NULL::UNION(a POINTER)',
    'SELECT NULL::main.POINTER',
    "SELECT NULL::GEOMETRY('x')",
    'SELECT NULL::pg_catalog.regclass',
    `SELECT from_json('1', '"POINTER"')`,
    `SELECT from_json('1', '{"a":["STRUCT(b POINTER)"]}')`,
    `SELECT from_json('1', '{"a":"POINTER","a":"INTEGER"}')`,
    `SELECT from_json('1', '{"a":"\\u0050OINTER"}')`,
    `SELECT json_transform_strict(region, '"POINTER"') FROM sales`,
    `SELECT region.json_transform('"POINTER"') FROM sales`,
    `SELECT from_json('1', '"POINT' || 'ER"')`,
    "PRAGMA json_execute_serialized_sql('{}')",
    'PRAGMA import_database(1)',
    'CALL json_execute_serialized_sql(1)',
    'EXECUTE x',
    'COPY sales TO 1',
    "SELECT 1; PRAGMA enable_profiling('json')",
    'EXPLAIN ANALYZE SELECT 1',
    'WITH a AS (SELECT 1) INSERT INTO sales FROM a',
    'SELECT 1 INTO sales',
    'SET VARIABLE a = 1',
  ])('the form %s', async (sql) => {
    expect(await refusal(sql)).toMatch(/^sql: /);
  });
});

describe('the list of functions', () => {
  it('has only names that DuckDB knows', () => {
    const known = new Set(catalogue.map(({ name }) => name.toLowerCase()));
    expect([...SCALAR_FUNCTIONS].filter((name) => !known.has(name) && !PARSER_NAMES.has(name))).toEqual([]);
  });

  it('has no name of what it refuses', () => {
    for (const name of words(`${DANGEROUS_SCALARS} ${DANGEROUS_TABLES}`).filter(
      (each) => each !== 'histogram',
    ))
      expect(isAllowed(name), name).toBe(false);
    expect([...TABLE_FUNCTIONS].sort()).toEqual([
      'generate_series',
      'json_each',
      'json_tree',
      'range',
      'unnest',
    ]);
  });

  it('has every aggregate, because list_aggregate calls them by a text', () => {
    const aggregates = catalogue.filter(({ kind }) => kind === 'aggregate').map(({ name }) => name);
    expect(aggregates.filter((name) => !SCALAR_FUNCTIONS.has(name))).toEqual([]);
  });

  it("has of DuckDB's macros only those that expand to functions of the list", async () => {
    const macros = catalogue.filter(({ name, kind }) => kind === 'macro' && SCALAR_FUNCTIONS.has(name));
    expect(macros.length).toBeGreaterThan(40);
    for (const { name, macro } of macros) expect(await refusal(`SELECT ${macro}`), name).toBeNull();
  });

  it('holds whatever is written: no admitted statement has a function that is not in it', {
    timeout: 120_000,
  }, async () => {
    const names = [...new Set(catalogue.map(({ name }) => name))].filter((name) => /^\w+$/.test(name));
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
          if ((await refusal(sql)) !== null) return;
          admitted += 1;
          expect(
            calls.filter(({ name }) => !SCALAR_FUNCTIONS.has(name)),
            sql,
          ).toEqual([]);
        },
      ),
      { numRuns: 400 },
    );
    expect(admitted).toBeGreaterThan(5);
  });
});
