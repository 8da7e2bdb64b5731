import { beforeAll, describe, expect, it } from 'vitest';
import { LEGITIMATE_QUERIES } from './legitimate-queries';
import { SCALAR_FUNCTIONS, TABLE_FUNCTIONS } from './sql-functions.mjs';
import {
  createTableQuery,
  DANGEROUS_SCALARS,
  DANGEROUS_TABLES,
  expectFunctionRefused,
  expectFunctionRefusedAt,
  expectOnlyAllowedFunctions,
  expectTableFunctionRefused,
  getRejection,
  PLACES,
  runUnguarded,
} from './testing/sql-guard-cases';

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
  it.each(sample(LEGITIMATE_QUERIES))('still runs: %s', async (sql) => {
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

/** Names that DuckDB's parser generates. */
const PARSER_NAMES = new Set(['count_star', 'rank_dense']);
const sample = <T>(all: readonly T[]) => all.filter((_, at) => at % 10 === 0);

describe('dangerous SQL is refused before it is planned', () => {
  // The deep suite tries all of them.
  it.each(sample(DANGEROUS_TABLES))('the table function %s in any spelling @F1', expectTableFunctionRefused);
  it.each(sample(DANGEROUS_SCALARS))('the function %s in any spelling @F1', expectFunctionRefused);
  it.each(sample(PLACES))('a function at any place in a statement: %s @F1', expectFunctionRefusedAt);

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
    for (const name of [...DANGEROUS_SCALARS, ...DANGEROUS_TABLES].filter((each) => each !== 'histogram'))
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

  it('contains only macros of DuckDB that expand to functions of the list @F1', async () => {
    const macros = catalogue.filter(({ name, kind }) => kind === 'macro' && SCALAR_FUNCTIONS.has(name));
    expect(macros.length).toBeGreaterThan(40);
    for (const { name, macro } of macros) expect(await getRejection(`SELECT ${macro}`), name).toBeNull();
  });

  it('admits no statement with a function outside it @F1', async () => {
    await expectOnlyAllowedFunctions(
      catalogue.map(({ name }) => name),
      60,
    );
  });
});
