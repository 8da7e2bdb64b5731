import { beforeAll, describe, expect, it } from 'vitest';
import {
  createTableQuery,
  expectOnlyAllowedFunctions,
  getRejection,
  PLACES,
  runUnguarded,
  spellings,
} from '../../testing/tools/sql-guard-cases';
import { LEGITIMATE_QUERIES } from './legitimate-queries';
import { SCALAR_FUNCTIONS, TABLE_FUNCTIONS } from './sql-functions.mjs';

const queryTables = createTableQuery();

const isAllowed = (name: string) => SCALAR_FUNCTIONS.has(name) || TABLE_FUNCTIONS.has(name);

let catalogue: { name: string; kind: string; macro: string | null }[] = [];
beforeAll(async () => {
  const rows = await runUnguarded(
    'SELECT function_name, function_type, macro_definition FROM duckdb_functions()',
  );
  catalogue = rows.map(([name, kind, macro]) => ({
    name: String(name),
    kind: String(kind),
    macro: macro === null ? null : String(macro),
  }));
});

describe('legitimate SQL', () => {
  // The deep suite runs all of them.
  it.each(LEGITIMATE_QUERIES.filter((_, at) => at % 10 === 0))('still runs: %s', async (sql) => {
    expect(await queryTables(sql)).toMatchObject({ ok: true });
  });

  it.each([
    ['PIVOT sales ON region USING sum(units)', /PIVOT needs explicit values/],
    [
      'SELECT current_setting(1)',
      /^sql: the function `current_setting` is not available\. Use DuckDB's functions/,
    ],
    [
      'FROM read_csv(1)',
      /^sql: the function `read_csv` is not available in FROM\. .*pass files in the field files/,
    ],
    ['SELECT 1::POINTER', /^sql: the type `POINTER` is not available/],
    ['FROM orders', /^sql: unknown table `orders`\. The tables are sales, products/],
    ['SELECT 1; SELECT 2', /^sql: contains 2 statements/],
    ['INSTALL httpfs', /^sql: only one SELECT is supported/],
    ['SELECT $1', /^sql: parameters are not supported/],
    ['SELECT 1\0 FROM sales', /^sql: contains the character U\+0000/],
    ['SELECT FROM WHERE', /^sql: Parser Error: .*\n\nLINE 1:/s],
    ['SELECT from_json(j, structure) FROM sales', /structure as text/],
    ["SELECT from_json('1', '{a}')", /structure of from_json is not valid JSON/],
    [`SELECT ${'['.repeat(1_200)}1${']'.repeat(1_200)}`, /^sql: .*depth/],
    [`${'SELECT * FROM ('.repeat(500)}SELECT 1${')'.repeat(500)}`, /^sql: .*(nested too deeply|depth)/],
  ])('gets an error that says what to change: %s', async (sql, message) => {
    expect(await getRejection(sql)).toMatch(message);
  });
});

/**
 * Functions that run statements, access memory or files, or expose data that is not the caller's.
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
/** Names that DuckDB's parser generates. */
const PARSER_NAMES = new Set(['count_star', 'rank_dense']);
const words = (text: string) => text.split(/\s+/).filter(Boolean);

describe('dangerous SQL is refused before it is planned', () => {
  it.each(words(DANGEROUS_TABLES))('the table function %s in any spelling', async (name) => {
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
  });

  it.each(words(DANGEROUS_SCALARS))('the function %s in any spelling', async (name) => {
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
  });

  it.each(PLACES.map((place) => [place('getenv()'), place]))(
    'a function at any place in a statement: %s',
    async (sql, place) => {
      expect(await getRejection(sql)).toMatch(
        /the function `getenv` is not available|syntax error|Cannot pivot/i,
      );
      const reason = await getRejection(place("(SELECT a FROM read_text('/x') t(a))"));
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
    expect(await getRejection(sql)).toMatch(/^sql: /);
  });
});

describe('the list of functions', () => {
  it('contains only names that DuckDB knows', () => {
    const known = new Set(catalogue.map(({ name }) => name.toLowerCase()));
    expect([...SCALAR_FUNCTIONS].filter((name) => !known.has(name) && !PARSER_NAMES.has(name))).toEqual([]);
  });

  it('contains none of the refused names', () => {
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

  it('contains every aggregate, because list_aggregate calls them by name', () => {
    const aggregates = catalogue.filter(({ kind }) => kind === 'aggregate').map(({ name }) => name);
    expect(aggregates.filter((name) => !SCALAR_FUNCTIONS.has(name))).toEqual([]);
  });

  it('contains only macros of DuckDB that expand to functions of the list', async () => {
    const macros = catalogue.filter(({ name, kind }) => kind === 'macro' && SCALAR_FUNCTIONS.has(name));
    expect(macros.length).toBeGreaterThan(40);
    for (const { name, macro } of macros) expect(await getRejection(`SELECT ${macro}`), name).toBeNull();
  });

  it('admits no statement with a function outside it', async () => {
    await expectOnlyAllowedFunctions(
      catalogue.map(({ name }) => name),
      60,
    );
  });
});
