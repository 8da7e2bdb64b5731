import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { connect, type Sql } from '@/db/client';
import { type Harness, startHarness } from '../support/harness';

type Tx = Parameters<Parameters<Sql['begin']>[1]>[0];
type Body = (tx: Tx) => Promise<unknown>;

let harness: Harness;
let pool: ReturnType<typeof connect>;
beforeAll(async () => {
  harness = await startHarness();
  await harness.runtime.sql`create table written (n int)`;
  // One connection, so that the next transaction replaces the lost connection.
  pool = connect(harness.runtime.settings.databaseUrl, 1);
});
afterAll(async () => {
  await pool.close();
  await harness.close();
});
beforeEach(async () => void (await harness.runtime.sql`delete from written`));

const rows = async () =>
  (await harness.runtime.sql<{ n: number }[]>`select n from written order by n`).map(({ n }) => n);

/** Starts a transaction that PostgreSQL terminates while its body awaits `until`. */
async function loseOne(until: Promise<unknown>, within: (tx: Tx, body: Body) => unknown) {
  const lost = pool.sql.begin((tx) =>
    within(tx, async (inner) => {
      await inner`insert into written values (1)`;
      await inner`set local idle_in_transaction_session_timeout = 50`;
      await until;
    }),
  );
  await expect(lost).rejects.toMatchObject({ code: 'CONNECTION_CLOSED' });
}

it.each([
  ['', (tx: Tx, body: Body) => body(tx)],
  [' in a savepoint', (tx: Tx, body: Body) => tx.savepoint(body)],
  [
    ' with a body that then fails',
    async (tx: Tx, body: Body) => {
      await body(tx);
      throw new Error('It fails too.');
    },
  ],
])(
  'a transaction%s on a lost connection neither commits nor ends the next transaction',
  async (_, within) => {
    let release = () => {};
    const released = new Promise<void>((done) => {
      release = done;
    });
    await loseOne(released, within);
    const other = pool.sql.begin(async (tx) => {
      await tx`insert into written values (2)`;
      // The first body ends now; anything it still sent would end up in this transaction.
      release();
      await wait(200);
      throw new Error('The other one is undone.');
    });
    await expect(other).rejects.toThrow('undone');
    expect(await rows()).toEqual([]);
    await pool.sql.begin((tx) => tx`insert into written values (3)`);
    expect(await rows()).toEqual([3]);
    expect(pool.counts()).toEqual({ running: 0, waiting: 0 });
  },
);

it('statements that the driver rejects do not affect each other or later statements', async () => {
  const refused = Array.from({ length: 4 }, () => pool.sql`select ${undefined as never}`);
  const answered = Array.from({ length: 4 }, (_, n) => pool.sql`select ${n}::int as n`);
  const codes = await Promise.all(refused.map((query) => query.catch(({ code }) => code)));
  expect(codes).toEqual(Array(4).fill('UNDEFINED_VALUE'));
  expect((await Promise.all(answered)).map(([row]) => row?.n)).toEqual([0, 1, 2, 3]);
  expect(pool.counts()).toEqual({ running: 0, waiting: 0 });
});
