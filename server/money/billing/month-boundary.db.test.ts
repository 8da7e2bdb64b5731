import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type Harness, startHarness } from '@/test/support/harness';
import { createProbe, PROBE_PRICE } from '@/test/support/probe-tool';
import { reconcile } from '../reconcile/reconcile';

const probe = createProbe();
/** Creates the database and serves no requests: its connections use the real time. */
let real: Harness;
/**
 * Its connections find our clock before PostgreSQL's, in a time zone where the month starts early.
 */
let harness: Harness;
let month: { lastInstant: string; firstInstant: string };
beforeAll(async () => {
  real = await startHarness({ role: 'command' });
  const { sql } = real.runtime;
  await sql`create schema clock`;
  await sql`create table clock.hands (at timestamptz not null)`;
  await sql`insert into clock.hands values (now())`;
  for (const name of ['now', 'clock_timestamp'])
    await sql.unsafe(`create function clock.${name}() returns timestamptz language sql volatile
      as 'select at from clock.hands'`);
  const [row] = await sql<{ name: string; last: string; first: string }[]>`
    select current_database() as name,
      (date_trunc('month', now(), 'UTC') + interval '1 month' - interval '100 ms')::text as last,
      (date_trunc('month', now(), 'UTC') + interval '1 month' + interval '100 ms')::text as first`;
  month = { lastInstant: row?.last ?? '', firstInstant: row?.first ?? '' };
  await sql.unsafe(`alter database ${row?.name} set search_path = clock, public, pg_catalog`);
  await sql.unsafe(`alter database ${row?.name} set timezone = 'Pacific/Kiritimati'`);
  harness = await startHarness({ tools: [probe.tool], peer: real, role: 'command' });
});
afterAll(async () => {
  await harness.close();
  await real.close();
});
beforeEach(() => setClock(month.lastInstant));

const setClock = async (at: string) => {
  await real.runtime.sql`update clock.hands set at = ${at}::text::timestamptz`;
};
const call = (key: string, skill = 'ok_paid', id = '') =>
  harness.request('POST', '/v1/tools/call', { key, json: { tool: 'probe', skill, input: { id } } });
const together = async (key: string, count: number) =>
  (await Promise.all(Array.from({ length: count }, () => call(key)))).map(({ status }) => status).sort();

async function personWithCap(calls: bigint) {
  const person = await harness.person(1_000_000n);
  await real.runtime.sql`update accounts set budget_limit_microusd = ${calls * PROBE_PRICE}
    where id = ${person.accountId}`;
  return person;
}
const readSpent = async (accountId: string) => {
  const [row] = await real.runtime.sql`select month_spent_microusd as spent, month_start::text as month,
    balance_microusd as balance from accounts where id = ${accountId}`;
  return row;
};

it('uses the database clock that was set', async () => {
  const [row] = await harness.runtime
    .sql`select now() at time zone 'UTC' as now, current_setting('timezone') as zone`;
  expect(String(row?.now.toISOString?.() ?? row?.now)).toMatch(/59[.:]9/);
  expect(row?.zone).toBe('Pacific/Kiritimati');
});

it('enforces the limit until 23:59:59.9 UTC, and resets it once at 00:00:00.1 @A20', async () => {
  const { key, accountId } = await personWithCap(3n);
  expect(await together(key, 5)).toEqual([200, 200, 200, 429, 429]);
  expect((await call(key)).body.error.code).toBe('SPENDING_LIMIT_EXCEEDED');
  const before = await readSpent(accountId);
  await setClock(month.firstInstant);
  expect(await together(key, 5)).toEqual([200, 200, 200, 429, 429]);
  expect((await call(key)).body.error.code).toBe('SPENDING_LIMIT_EXCEEDED');
  const after = await readSpent(accountId);
  expect([before?.spent, after?.spent]).toEqual([300n, 300n]);
  expect(after?.month).not.toBe(before?.month);
  expect(after?.balance).toBe(1_000_000n - 6n * PROBE_PRICE);
});

it('counts a call that spans two months in the new month, and never twice @A20', async () => {
  const { key, accountId } = await personWithCap(3n);
  const running = [call(key, 'wait_paid', 'over the end'), call(key, 'wait_paid', 'over the end')];
  await probe.waitUntilStarted('over the end');
  await expect.poll(() => probe.runs('over the end')).toBe(2);
  await setClock(month.firstInstant);
  // Their holds leave room for one.
  expect(await together(key, 3)).toEqual([200, 429, 429]);
  probe.release('over the end');
  expect((await Promise.all(running)).map(({ status }) => status)).toEqual([200, 200]);
  expect(await readSpent(accountId)).toMatchObject({ spent: 300n, balance: 1_000_000n - 3n * PROBE_PRICE });
  expect((await call(key)).status).toBe(429);
});

it.each(['day', 'month'])('counts such a call in the old %s for the limit of its key', async (period) => {
  const { key: manager, accountId } = await personWithCap(10n);
  const json = { spend_limit: { amount_usd: Number(2n * PROBE_PRICE) / 1e6, period } };
  const { secret, id } = (await harness.request('POST', '/v1/keys', { key: manager, json })).body;
  const running = call(secret, 'wait_paid', period);
  await probe.waitUntilStarted(period);
  expect(await together(secret, 2)).toEqual([200, 429]);
  await setClock(month.firstInstant);
  expect((await call(secret)).status).toBe(200);
  probe.release(period);
  expect((await running).status).toBe(200);
  const read = await harness.request('GET', `/v1/keys/${id}`, { key: manager });
  expect(read.body.spend_limit.spent_usd).toBe(Number(PROBE_PRICE) / 1e6);
  expect(await readSpent(accountId)).toMatchObject({ spent: 2n * PROBE_PRICE });
  expect(await together(secret, 2)).toEqual([200, 429]);
});

it('leaves the ledger consistent', async () => {
  expect((await reconcile(real.runtime)).differences).toEqual([]);
});
