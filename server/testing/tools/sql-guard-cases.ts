import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect } from 'vitest';
import { withDatabase } from '../../tools/data/duckdb.mjs';
import { TABLES } from '../../tools/data/legitimate-queries';
import { runQuery } from '../../tools/data/query-worker.mjs';
import { SCALAR_FUNCTIONS } from '../../tools/data/sql-functions.mjs';
import { admitSql } from '../../tools/data/sql-guard.mjs';

/** Returns a function that runs SQL over the tables of the valid queries; for one test file. */
export function createTableQuery() {
  const folder = mkdtempSync(join(tmpdir(), 'sql-guard-'));
  const sources = Object.entries(TABLES).map(([table, text]) => {
    const path = join(folder, `${table}.csv`);
    writeFileSync(path, text);
    return { table, path, filename: `${table}.csv` };
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  // Loading a table takes longer than the query.
  return (sql: string) =>
    runQuery({ sources: sources.filter(({ table }) => sql.toLowerCase().includes(table)), sql, limit: 5 });
}

/** The reason why the guard rejects a statement; null if it admits it. */
export const getRejection = (sql: string) =>
  admitSql(sql, ['sales', 'products']).then(
    () => null,
    (error: Error) => error.message,
  );
/** Runs SQL in DuckDB without the guard. */
export const runUnguarded = (sql: string) =>
  withDatabase(async (connection) => (await connection.runAndReadAll(sql)).getRows());

/** Spellings of one name. */
export const spellings = (name: string) => [
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
