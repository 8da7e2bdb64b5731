import { sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { connect } from '@/db/client';
import { POOL_BOUNDS, type PoolBounds } from '@/db/pool-bounds';
import { toGatewayError } from '@/server/core/errors/to-gateway-error';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { watchUncaught } from '../support/uncaught';
import { FaultProxy } from '../system/fixtures/fault-proxy';

const SIZE = 3;
let database: TestDatabase;
let proxy: FaultProxy;
let pool: ReturnType<typeof connect>;

beforeAll(async () => {
  database = await createTestDatabase();
});

beforeEach(async () => {
  proxy = await FaultProxy.start({ port: Number(new URL(database.url).port) });
  pool = connect(proxy.through(database.url), SIZE);
});

afterEach(async () => {
  vi.useRealTimers();
  await proxy.pass();
  await pool.close();
  await proxy.stop();
});

afterAll(() => database.drop());

/** Replaces the pool by one with a fake watchdog clock. @returns a function that advances it */
async function controlWatch(
  bounds: Readonly<PoolBounds> = POOL_BOUNDS,
  size = SIZE,
): Promise<(ms: number) => void> {
  await pool.close();
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
  pool = connect(proxy.through(database.url), size, { bounds });
  return (ms) => void vi.advanceTimersByTime(ms);
}

const one = async () => (await pool.sql`select 1::int as one`)[0]?.one;
/** `done`, or the error code. */
const outcome = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error) => toGatewayError(error).code,
  );
const all = (count: number) => Promise.all(Array.from({ length: count }, one));
const isIdle = () =>
  expect.poll(() => pool.counts(), { timeout: 10_000 }).toEqual({ running: 0, waiting: 0 });

describe('a pool', () => {
  it('runs more statements than it has connections, in order, without opening more connections', async () => {
    expect(await all(50)).toEqual(Array(50).fill(1));
    expect(proxy.open).toBeLessThanOrEqual(SIZE);
    const order: number[] = [];
    await Promise.all(
      [1, 2, 3, 4, 5, 6, 7].map(async (n) => {
        await pool.sql`select ${n}::int, pg_sleep(0.05)`;
        order.push(n);
      }),
    );
    expect(order.toSorted()).toEqual([1, 2, 3, 4, 5, 6, 7]);
    await isIdle();
  });

  it('returns the connection after transactions, also nested and failing ones', async () => {
    await pool.sql`create table if not exists tries (n int)`;
    await pool.db.transaction(async (tx) => {
      await tx.execute(sql`insert into tries values (1)`);
      await tx.transaction((inner) => inner.execute(sql`insert into tries values (2)`));
      await tx
        .transaction(async (inner) => {
          await inner.execute(sql`insert into tries values (3)`);
          throw new Error('not this one');
        })
        .catch(() => undefined);
    });
    const failed = pool.db.transaction(async (tx) => {
      await tx.execute(sql`insert into tries values (4)`);
      await tx.execute(sql`select 1 / 0`);
    });
    await expect(failed).rejects.toMatchObject({ cause: { code: '22012' } });
    expect([...(await pool.sql`select n from tries order by n`)]).toEqual([{ n: 1 }, { n: 2 }]);
    await Promise.all(
      Array.from({ length: 10 }, () => pool.sql.begin((tx) => tx`insert into tries values (9)`)),
    );
    expect([...(await pool.sql`select count(*)::int as n from tries where n = 9`)]).toEqual([{ n: 10 }]);
    await isIdle();
  });

  it('fails statements and transactions of a broken connection at once and opens new connections @E9', async () => {
    await all(SIZE);
    for (let round = 0; round < 5; round++) {
      const slow = [
        outcome(pool.sql`select pg_sleep(60)`),
        outcome(pool.db.transaction((tx) => tx.execute(sql`select pg_sleep(60)`))),
        outcome(
          pool.sql.begin(async (tx) => {
            // A body that continues on its broken connection sends nothing; nothing awaits it.
            await tx`select pg_sleep(60)`.catch(() => undefined);
            return await tx`select 1`;
          }),
        ),
        outcome(one()),
      ];
      await expect.poll(() => pool.counts()).toEqual({ running: SIZE, waiting: 1 });
      proxy.reset();
      const ends = await Promise.all(slow);
      expect(ends.slice(0, 3)).toEqual(Array(3).fill('UNAVAILABLE'));
      await isIdle();
      expect(await all(10)).toEqual(Array(10).fill(1));
    }
  });

  it('rejects while the port is closed and recovers at once when it opens @E9', async () => {
    // The watchdog clock stands still, so it cancels no statement.
    await controlWatch(POOL_BOUNDS, 1);
    await one();
    await proxy.refuse();
    const attempts = 9;
    const ends = await Promise.all(Array.from({ length: attempts }, () => outcome(one())));
    expect(ends).toEqual(Array(attempts).fill('UNAVAILABLE'));
    await proxy.pass();
    // The driver's own backoff would be at least ten seconds after this many attempts.
    await expect.poll(() => one().catch(() => 0), { timeout: 9_000 }).toBe(1);
    await isIdle();
  });

  it('rejects instead of retrying forever when the connection closes during the handshake', async () => {
    proxy.cutAfter(20);
    expect(await outcome(one())).toBe('UNAVAILABLE');
    proxy.cutAfter(0);
    expect(await outcome(one())).toBe('UNAVAILABLE');
    await proxy.pass();
    expect(await one()).toBe(1);
  });

  it('rejects only what was sent on it, wherever connections are cut, and leaves no rejection unhandled @E9', async () => {
    const uncaught = watchUncaught();
    const answers = new Set<string>();
    for (let bytes = 20; bytes <= 2_500; bytes += 80) {
      proxy.cutAfter(bytes);
      for (const answer of await Promise.all([outcome(one()), outcome(one())])) answers.add(answer);
      // The next attempt fails before it is ready.
      proxy.cutAfter(0);
      expect(await outcome(one())).toBe('UNAVAILABLE');
    }
    await proxy.pass();
    expect(await all(2 * SIZE)).toEqual(Array(2 * SIZE).fill(1));
    uncaught.stop();
    expect(uncaught.errors).toEqual([]);
    expect([...answers].toSorted()).toEqual(['UNAVAILABLE', 'done']);
  });
});

describe('the time limits of a pool', () => {
  it('have the documented values and are sent to PostgreSQL', async () => {
    expect(POOL_BOUNDS).toEqual({
      statementMs: 10_000,
      waitMs: 8_000,
      silenceMs: 12_000,
      longestMs: 24_000,
      checkMs: 1_000,
    });
    const [row] = await pool.sql`select current_setting('statement_timeout') as bound`;
    expect(row).toEqual({ bound: '10s' });
  });
});

describe('a database that stops responding', () => {
  it('blocks no caller: running, waiting, starting and committing work is rejected, and the pool recovers @A3', async () => {
    const letPass = await controlWatch();
    await pool.sql`create table if not exists tries (n int)`;
    await all(SIZE);
    let hung: (() => void) | undefined;
    const committing = pool.sql.begin(async (tx) => {
      await tx`insert into tries values (1)`;
      await new Promise<void>((done) => {
        hung = done;
      });
    });
    await expect.poll(() => hung).toBeDefined();
    proxy.hang();
    hung?.();
    const running = [committing, one(), pool.sql.begin((tx) => tx`select 1`)].map(outcome);
    const waiting = Array.from({ length: 20 }, () => outcome(one()));
    await expect.poll(() => pool.counts()).toEqual({ running: running.length, waiting: waiting.length });
    letPass(POOL_BOUNDS.waitMs - POOL_BOUNDS.checkMs);
    expect(pool.counts()).toEqual({ running: running.length, waiting: waiting.length });
    letPass(2 * POOL_BOUNDS.checkMs);
    expect(await Promise.all(waiting)).toEqual(Array(waiting.length).fill('UNAVAILABLE'));
    expect(pool.counts().running).toBe(running.length);
    letPass(POOL_BOUNDS.silenceMs - POOL_BOUNDS.waitMs + POOL_BOUNDS.checkMs);
    expect(await Promise.all(running)).toEqual(Array(running.length).fill('UNAVAILABLE'));
    await proxy.pass();
    await expect.poll(() => one().catch(() => 0)).toBe(1);
    await isIdle();
    expect(await all(20)).toEqual(Array(20).fill(1));
  });

  it('has its unresponsive connections closed and replaced @E9', async () => {
    const letPass = await controlWatch();
    await all(SIZE);
    proxy.blackhole();
    const ends = Promise.all(Array.from({ length: SIZE }, () => outcome(one())));
    await expect.poll(() => pool.counts()).toEqual({ running: SIZE, waiting: 0 });
    letPass(POOL_BOUNDS.silenceMs + 2 * POOL_BOUNDS.checkMs);
    expect(await ends).toEqual(Array(SIZE).fill('UNAVAILABLE'));
    expect(await all(20)).toEqual(Array(20).fill(1));
    await isIdle();
  });

  it('cancels a statement before the pool gives up on it, and the connection stays open', async () => {
    await controlWatch({ ...POOL_BOUNDS, statementMs: 100 });
    expect(await outcome(pool.sql`select pg_sleep(60)`)).toBe('UNAVAILABLE');
    const { accepted } = proxy;
    expect(await one()).toBe(1);
    expect(proxy.accepted).toBe(accepted);
    expect(POOL_BOUNDS.statementMs).toBeLessThan(POOL_BOUNDS.silenceMs);
  });

  it('has no statement timeout for a patient connection', async () => {
    const patient = connect(proxy.through(database.url), 1, { patient: true });
    const [row] = await patient.sql`
      select current_setting('statement_timeout') as bound, current_setting('application_name') as name`;
    await patient.close();
    expect(row).toEqual({ bound: '0', name: 'tool-gateway' });
  });
});

describe('a pool with all its connections held', () => {
  it('rejects after a long wait and recovers when connections are free @E9', async () => {
    const letPass = await controlWatch();
    let release: (() => void) | undefined;
    const until = new Promise<void>((done) => {
      release = done;
    });
    const holding = Array.from({ length: SIZE }, () =>
      pool.sql.begin(async (tx) => {
        await tx`select 1`;
        await until;
      }),
    );
    await expect.poll(() => proxy.open).toBe(SIZE);
    const refused = outcome(one());
    await expect.poll(() => pool.counts().waiting).toBe(1);
    letPass(POOL_BOUNDS.waitMs - POOL_BOUNDS.checkMs);
    expect(pool.counts().waiting).toBe(1);
    letPass(2 * POOL_BOUNDS.checkMs);
    expect(await refused).toBe('UNAVAILABLE');
    release?.();
    await Promise.all(holding);
    expect(await one()).toBe(1);
    await isIdle();
  });
});
