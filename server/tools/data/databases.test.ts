import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { withDatabase, withLockedDatabase } from './duckdb.mjs';
import { runQuery } from './query-worker.mjs';

const folder = mkdtempSync(join(tmpdir(), 'databases-'));
const path = join(folder, 'types.parquet');
const table = { table: 't1', path, scratch: `${path}.utf8`, filename: 'types.parquet' };
afterAll(() => rmSync(folder, { recursive: true, force: true }));
afterEach(() => vi.restoreAllMocks());

const run = (sql: string, use = withDatabase) =>
  use(async (connection) => (await connection.runAndReadAll(sql)).getRowsJson());
const query = (sql: string) => runQuery({ sources: [table], sql, limit: 100 });

/** Every type that Parquet can hold, as a caller's table must have it. */
const WRITE_TYPES = `
  COPY (SELECT * EXCLUDE (hugeint, uhugeint, bignum, bit, time_tz, fixed_nested_int_array, fixed_nested_varchar_array,
      fixed_struct_array, struct_of_fixed_array, fixed_array_of_int_list, list_of_fixed_int_array, fixed_int_array,
      fixed_varchar_array, "union"), '{"a":[1]}'::JSON AS json FROM test_all_types())
  TO '${path}'`;

describe('the databases of a process', () => {
  it('give the caller the types and values of the file', async () => {
    await run(WRITE_TYPES);
    const types = await run(`SELECT column_name, column_type FROM (DESCRIBE FROM '${path}')`);
    expect(types.length).toBeGreaterThan(30);
    expect(await query('DESCRIBE t1')).toMatchObject({
      ok: true,
      value: { rows: types.map(([name, type]) => ({ column_name: name, column_type: type })) },
    });
    const digest = (source: string) => `SELECT md5(string_agg(t::VARCHAR, '|')) AS digest FROM ${source} t`;
    const [[expected] = []] = await run(digest(`'${path}'`));
    expect(await query(digest('t1'))).toMatchObject({ value: { rows: [{ digest: expected }] } });
  });

  it('are opened once, and empty for each call', async () => {
    await query('SELECT 1');
    const opened = vi.spyOn(DuckDBInstance, 'create');
    expect(await query('SELECT 1 / (SELECT count(*) FROM nothing)')).toMatchObject({ ok: false });
    // A result that is not read to its end.
    expect(await query('SELECT * FROM t1, range(10000)')).toMatchObject({ value: { truncated: true } });
    for (const use of [withDatabase, withLockedDatabase]) expect(await run('SHOW TABLES', use)).toEqual([]);
    expect(opened).not.toHaveBeenCalled();
  });

  it('are replaced when they cannot be used any more', async () => {
    await withLockedDatabase(async (connection) => connection.closeSync());
    expect(await query('SELECT 1 AS one')).toMatchObject({ value: { rows: [{ one: 1 }] } });
  });

  it.each([`FROM '${path}'`, 'SET enable_external_access = true', `COPY (SELECT 1) TO '${path}.csv'`])(
    "keep files from callers' SQL, even without its guard: %s",
    async (sql) => {
      await expect(run(sql, withLockedDatabase)).rejects.toThrow(/disabled|locked/);
    },
  );
});
