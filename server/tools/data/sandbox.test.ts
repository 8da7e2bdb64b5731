import { existsSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { shortenTimers } from '@/test/support/control-timers';
import { createTestFiles, type TestFiles } from '@/test/support/test-files';
import { createTestServer } from '@/test/support/test-server';
import { runSkill } from '../sdk/skill-harness';
import { tool } from './index';
import { queryInSharedWorker } from './testing/query-in-shared-worker';
import { GREEDY_QUERIES, MEMORY_BOUND_MIB, OUT_OF_MEMORY, watchMemory } from './testing/watch-memory';

let files: TestFiles;
let asked = 0;
const server = createTestServer((_, response) => {
  asked += 1;
  response.end('a,b\n1,2\n');
});
let address = '';
beforeAll(async () => {
  files = await createTestFiles();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.close();
  await files.remove();
});

const written = join(tmpdir(), 'data-sandbox-was-left.csv');
const query = (sql: string, options = {}) =>
  runSkill(tool, 'query', { files: [{ file: 'asset_sample_sales' }], sql, ...options }, { files });

describe("a caller's SQL", () => {
  it.each([
    "SELECT * FROM read_csv('/etc/passwd')",
    "SELECT * FROM read_text('/etc/passwd')",
    "SELECT * FROM read_blob('/etc/hostname')",
    "SELECT * FROM '/etc/passwd'",
    "SELECT * FROM glob('/*')",
    "SELECT * FROM read_csv('%ADDRESS%/x.csv')",
    "SELECT * FROM read_parquet('s3://bucket/x.parquet')",
    "SELECT * FROM read_csv('/proc/self/environ')",
    "SELECT * FROM sniff_csv('/etc/passwd')",
    "SELECT * FROM parquet_metadata('/etc/passwd')",
    "SELECT * FROM query('SELECT * FROM read_text(''/etc/passwd'')')",
    "SELECT * FROM query_table('/etc/passwd')",
    "SELECT getenv('HOME')",
    `COPY t1 TO '${written}'`,
    `COPY (SELECT 1) TO '${written}'`,
    `ATTACH '${written}' AS x`,
    `EXPORT DATABASE '${tmpdir()}/export'`,
    'INSTALL httpfs',
    'LOAD httpfs',
    "LOAD '/tmp/evil.duckdb_extension'",
    'SET enable_external_access = true',
    "SET memory_limit = '64GB'",
    'RESET lock_configuration',
    "PRAGMA temp_directory='/tmp'",
    'CREATE TABLE x AS SELECT 1',
    'DROP TABLE t1',
    'CALL pragma_database_size()',
    "PREPARE p AS COPY t1 TO '/tmp/x'",
    `SELECT 1; COPY t1 TO '${written}'`,
    `SELECT 1) TO '${written}' (FORMAT csv); --`,
    'CREATE SECRET s (TYPE s3)',
  ])('cannot run %s', async (sql) => {
    for (const format of [undefined, 'csv'] as const) {
      const asking = queryInSharedWorker(files, sql.replace('%ADDRESS%', address), { format });
      await expect(asking).rejects.toThrow(/^sql: /);
    }
    expect(existsSync(written)).toBe(false);
    expect(asked).toBe(0);
  });

  it.each([
    "SELECT * FROM json_execute_serialized_sql(json_serialize_sql('SELECT 42'))",
    'SELECT * FROM arrow_scan(NULL::POINTER, NULL::POINTER, NULL::POINTER)',
    `SELECT * FROM enable_logging(storage := 'file', storage_config := {'path': '${written}'})`,
    `SELECT * FROM enable_profiling(save_location := '${written}')`,
    'SELECT * FROM duckdb_settings()',
    "SELECT current_setting('secret_directory')",
    'SELECT * FROM duckdb_secrets()',
    "SELECT write_log('x')",
  ])('cannot leave its own data: %s @F1', async (sql) => {
    await expect(queryInSharedWorker(files, sql)).rejects.toThrow(
      /^sql: the function `\w+` is not available/,
    );
    expect(existsSync(written)).toBe(false);
  });

  it('is refused by the skill, with and without a file for its result', async () => {
    for (const options of [{}, { save_as: 'csv' }])
      await expect(query(`COPY t1 TO '${written}'`, options)).rejects.toThrow(/^sql: /);
    expect(existsSync(written)).toBe(false);
  });

  it('is refused with a number that JSON cannot represent', async () => {
    await expect(queryInSharedWorker(files, 'SELECT 1e999')).rejects.toThrow(/^sql: a number is too large/);
  });

  it('cannot see the tables of another call', async () => {
    const options = { files: [{ file: 'asset_sample_sales', name: 'mine' }] };
    await runSkill(tool, 'query', { ...options, sql: 'SELECT count(*) FROM mine' }, { files });
    const { output } = await query('SHOW TABLES');
    expect(output.rows).toEqual([{ name: 't1' }]);
  });

  it('is ended when it runs without end', async () => {
    shortenTimers(25_000);
    const endless = query(
      'SELECT count(*) FROM range(10000000) a, range(10000000) b WHERE a.range * b.range % 7 = 8',
    );
    await expect(endless).rejects.toThrow(/more than 25 s of computing/);
  });

  it.runIf(process.platform === 'linux')('has bounded memory', async () => {
    const { error, mostMib } = await watchMemory(() => query(GREEDY_QUERIES.list));
    expect(error).toMatch(OUT_OF_MEMORY);
    expect(mostMib).toBeLessThan(MEMORY_BOUND_MIB);
  });
});
