import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { connect } from '@/db/client';
import { createTestDatabase, type TestDatabase } from '@/test/support/database';
import { FaultProxy } from '../../../test/system/fixtures/fault-proxy';
import { Notices } from './notices';

/** A tenth of the real interval, which notices.test.ts checks. */
const PULSE_MS = 500;

let database: TestDatabase;
let proxy: FaultProxy;
/** The connection of another process, which notifies. */
let other: ReturnType<typeof connect>;
let pool: ReturnType<typeof connect>;
let notices: Notices;

beforeAll(async () => {
  database = await createTestDatabase();
  proxy = await FaultProxy.start({ port: Number(new URL(database.url).port) });
  other = connect(database.url, 1);
  pool = connect(proxy.through(database.url), 1);
  notices = new Notices(pool, () => undefined, { pulseMs: PULSE_MS });
});

afterAll(async () => {
  await proxy.pass();
  notices.close();
  await pool.close();
  await proxy.stop();
  await other.close();
  await database.drop();
});

beforeEach(() => hears('key:before'));

/** Waits until a notification of another process arrives. */
async function hears(topic: `key:${string}`): Promise<void> {
  let heard = false;
  const off = notices.on(topic, (missed) => {
    heard ||= !missed;
  });
  const notify = async () => {
    await other.sql`select pg_notify('gateway', ${topic})`;
    return heard;
  };
  await expect.poll(notify, { timeout: 60_000 }).toBe(true);
  off();
}

it('listens again when its connection no longer delivers anything @E9', async () => {
  proxy.blackhole();
  await hears('key:black hole');
});

it('listens again when its connection was reset', async () => {
  proxy.reset();
  await hears('key:reset');
});

it('listens again when the database did not respond until the connection was replaced', async () => {
  const { accepted } = proxy;
  proxy.hang();
  await expect.poll(() => proxy.accepted, { timeout: 60_000 }).toBeGreaterThan(accepted);
  await proxy.pass();
  await hears('key:hang');
});

it('listens again when the database had refused connections', async () => {
  await proxy.refuse();
  // The driver retries within half a second, after any number of refusals.
  await new Promise((done) => setTimeout(done, 300));
  await proxy.pass();
  await hears('key:refused');
});
