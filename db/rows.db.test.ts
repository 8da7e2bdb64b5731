import { sql as drizzleSql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '@/test/support/database';
import { connect } from './client';
import { withPreparedStatements } from './prepared';
import { bigint, boolean, defineRow, float, integer, json, rowChecks, text, timestamptz } from './rows';

let database: TestDatabase;
let pool: ReturnType<typeof connect>;
beforeAll(async () => {
  database = await createTestDatabase();
  pool = connect(database.url, 1);
});
afterAll(async () => {
  await pool.close();
  await database.drop();
});
afterEach(() => {
  rowChecks.strict = true;
});

const balanceRow = defineRow({ id: text(), available: bigint() });

describe('a row that matches its declaration', () => {
  it('has the values that the client parses', async () => {
    const allRow = defineRow({
      state: text<'open' | 'closed'>(),
      small: integer(),
      count: integer(),
      progress: float(),
      ratio: float(),
      available: bigint(),
      paid: boolean(),
      input: json<{ a: number[] }>(),
      at: timestamptz(),
    });
    const [row] = await allRow.read(pool.sql`
      select 'open' as state, 1::smallint as small, 2 as count, 0.5::real as progress, 0.25::float8 as ratio,
        9007199254740993 as available, true as paid, '{"a":[1]}'::jsonb as input,
        '2026-01-02T03:04:05Z'::timestamptz as at`);
    const { at, ...others } = row ?? { at: '' };
    expect(others).toEqual({
      state: 'open',
      small: 1,
      count: 2,
      progress: 0.5,
      ratio: 0.25,
      available: 9007199254740993n,
      paid: true,
      input: { a: [1] },
    });
    expect(new Date(at).toISOString()).toBe('2026-01-02T03:04:05.000Z');
  });

  it('may have null in a nullable column', async () => {
    const limitRow = defineRow({ limit: bigint().nullable() });
    expect(await limitRow.read(pool.sql`select null::bigint as limit`)).toEqual([{ limit: null }]);
  });

  it('comes from Drizzle too, prepared or not, with parameters or without', async () => {
    const { db, sql } = pool;
    for (const executor of [db, withPreparedStatements(sql)])
      for (const id of [drizzleSql`'a'`, drizzleSql`${'a'}::text`])
        for (let run = 1; run <= 2; run++) {
          const query = executor.execute(drizzleSql`select ${id} as id, 1::bigint as available`);
          expect(await balanceRow.read(query)).toEqual([{ id: 'a', available: 1n }]);
        }
  });
});

describe('a statement is refused', () => {
  it.each([
    [
      'with a missing column',
      `select 'a' as id`,
      /Column available .* declared as bigint.* does not return it/,
    ],
    ['with another type', `select 'a' as id, 1 as available`, /Column available .* bigint.* returns integer/],
    ['with an unknown type', `select '::1'::inet as id, 1::bigint as available`, /Column id .* oid 869/],
    ['without rows too', `select 'a' as id, 1 as available where false`, /returns integer/],
    ['that returns nothing', `set local lock_timeout = 1`, /Column id .* does not return it/],
    ['with null in tests', `select null::text as id, 1::bigint as available`, /Column id .* returns null/],
    [
      'with an undeclared column in tests',
      `select 'a' as id, 1::bigint as available, 2 as more`,
      /more \(integer\)/,
    ],
  ])('%s', async (_, statement, message) => {
    await expect(balanceRow.read(pool.sql.unsafe(statement))).rejects.toThrow(message);
  });

  it('again on every run, and after one that matched', async () => {
    await pool.sql`create temp table balances (id text, available bigint)`;
    const read = () => balanceRow.read(pool.sql`select * from balances`);
    expect(await read()).toEqual([]);
    await pool.sql`alter table balances alter available type text`;
    for (let run = 1; run <= 2; run++) await expect(read()).rejects.toThrow(/available .* returns text/);
  });
});

it('accepts nulls and a column of a newer release outside tests', async () => {
  rowChecks.strict = false;
  const rows = await balanceRow.read(pool.sql`select null::text as id, 1::bigint as available, 2 as more`);
  expect(rows).toEqual([{ id: null, available: 1n, more: 2 }]);
});

it('keeps the error of the statement', async () => {
  await expect(balanceRow.read(pool.sql`select 1 / 0`)).rejects.toMatchObject({ code: '22012' });
});
