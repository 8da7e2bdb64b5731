import { expect, it } from 'vitest';
import { LEGITIMATE_QUERIES } from './legitimate-queries';
import {
  createTableQuery,
  DANGEROUS_SCALARS,
  DANGEROUS_TABLES,
  expectFunctionRefused,
  expectFunctionRefusedAt,
  expectOnlyAllowedFunctions,
  expectTableFunctionRefused,
  PLACES,
  runUnguarded,
} from './testing/sql-guard-cases';

const queryTables = createTableQuery();

it.each(LEGITIMATE_QUERIES)('legitimate SQL still runs: %s', async (sql) => {
  expect(await queryTables(sql)).toMatchObject({ ok: true });
});

it.each(DANGEROUS_TABLES)('the table function %s is refused in any spelling', expectTableFunctionRefused);

it.each(DANGEROUS_SCALARS)('the function %s is refused in any spelling', expectFunctionRefused);

it.each(PLACES)('a function is refused at any place in a statement: %s', expectFunctionRefusedAt);

it('no random statement that is admitted uses a function outside the list', async () => {
  const rows = await runUnguarded('SELECT function_name FROM duckdb_functions()');
  const admitted = await expectOnlyAllowedFunctions(
    rows.map(([name]) => String(name)),
    1_000,
  );
  expect(admitted).toBeGreaterThan(5);
});
