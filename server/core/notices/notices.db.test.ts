import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { connect } from '@/db/client';
import { FaultProxy } from '../../../test/system/fixtures/fault-proxy';
import { createTestDatabase, type TestDatabase } from '../../testing/database';
import { Notices } from './notices';

/** A tenth of the real one; notices.test.ts counts the real one. */
const PULSE_MS = 500;

let database: TestDatabase;
let proxy: FaultProxy;
/** Of another process, which notifies. */
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

/** Waits until a notice of another process arrives. */
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

it('listens again where its connection became a black hole', async () => {
  proxy.blackhole();
  await hears('key:black hole');
});

it('listens again where its connection was reset', async () => {
  proxy.reset();
  await hears('key:reset');
});

it('listens again where the database was silent until the connection had been replaced', async () => {
  const { accepted } = proxy;
  proxy.hang();
  await expect.poll(() => proxy.accepted, { timeout: 60_000 }).toBeGreaterThan(accepted);
  await proxy.pass();
  await hears('key:hang');
});

it('listens again where the database had refused connections', async () => {
  await proxy.refuse();
  // The driver tries again within half a second; how often it was refused changes nothing.
  await new Promise((done) => setTimeout(done, 300));
  await proxy.pass();
  await hears('key:refused');
});
