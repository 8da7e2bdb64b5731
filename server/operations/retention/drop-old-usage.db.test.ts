import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { type Harness, startHarness } from '@/test/support/harness';
import { reconcile } from '../../money/reconcile/reconcile';
import { sweep } from './sweep';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness.close());
afterEach(async () => {
  expect((await reconcile(harness.runtime)).differences).toEqual([]);
});

const sql = () => harness.runtime.sql;
const swept = async () => (await sweep(harness.runtime)).removed;
const call = (key: string, skill: string, input: object) =>
  harness.request('POST', '/v1/tools/call', { key, json: { tool: 'diagnostics', skill, input } });
const echo = (key: string) => call(key, 'echo', { message: 'x' });

const DROPPED = '15 months';
/** Moves all calls of an account into the past. */
async function age(accountId: string, by: string): Promise<void> {
  await sql()`select create_usage_month((now() at time zone 'UTC' - ${by}::interval)::date)`;
  await sql().begin(async (tx) => {
    await tx`alter table ledger_entries disable trigger ledger_entries_append_only`;
    await tx`update ledger_entries set created_at = created_at - ${by}::interval where account_id = ${accountId}`;
    await tx`alter table ledger_entries enable trigger ledger_entries_append_only`;
    await tx`update usage_records set created_at = created_at - ${by}::interval, finished_at = finished_at - ${by}::interval
      where account_id = ${accountId}`;
    await tx`update usage_rollups set hour = date_trunc('hour', (select max(finished_at) from usage_records
      where account_id = ${accountId}), 'UTC') where account_id = ${accountId}`;
    // Finished days accept no more hours, so their totals are computed again.
    await tx`delete from usage_days`;
    await tx`delete from retention_marks where what = 'usage_days'`;
  });
}
const partitions = () => sql()`select 1 from pg_inherits where inhparent = 'usage_records'::regclass`;

it('old usage is dropped in whole months; totals stay, and reconcile still passes', async () => {
  const [old, recent] = [await harness.person(1_000_000n), await harness.person(1_000_000n)];
  for (const { key } of [old, recent]) await call(key, 'spend', { amount_usd: 0.25 });
  await age(old.accountId, DROPPED);
  await age(recent.accountId, '12 months');
  const before = (await partitions()).length;

  expect(await swept()).toMatchObject({ usageMonths: 1 });
  expect(await partitions()).toHaveLength(before - 1);
  const history = async (key: string) =>
    (await harness.request('GET', '/v1/usage/history', { key })).body.records;
  expect(await history(old.key)).toEqual([]);
  expect(await history(recent.key)).toHaveLength(1);
  const sums = await harness.request('GET', '/v1/usage?period=all', { key: old.key });
  expect(sums.body).toMatchObject({ calls: 1, cost_usd: 0.25 });
  expect(await swept()).toMatchObject({ usageMonths: 0 });
});

it('reconcile still checks every remaining record after a month was dropped', async () => {
  const person = await harness.person(1_000_000n);
  const { body } = await call(person.key, 'spend', { amount_usd: 0.25 });
  const [record] = await sql()`delete from usage_records where id = ${body.id} returning *`;
  const found = (await reconcile(harness.runtime)).differences.map(({ check }) => check);
  expect(found).toEqual(['call entry equals usage record', 'roll-up equals usage records']);
  await sql()`insert into usage_records ${sql()(record as Record<string, string>)}`;
});

it('old usage in the default partition is deleted too, and reconcile knows', async () => {
  const person = await harness.person(1_000_000n);
  await call(person.key, 'spend', { amount_usd: 0.25 });
  await age(person.accountId, '20 months');
  await sql().begin(async (tx) => {
    const [record] =
      await tx`delete from usage_records where account_id = ${person.accountId} returning *, tableoid::regclass::text as month`;
    const { month, ...row } = record as Record<string, string>;
    await tx`drop table ${tx(month as string)}`;
    await tx`insert into usage_records ${tx(row)}`;
  });
  expect(await swept()).toMatchObject({ usageMonths: 0, strayUsageRecords: 1 });
});

it('a month that is being read is dropped by a later sweep, and no call waits for it', async () => {
  const person = await harness.person(1_000_000n);
  await echo(person.key);
  await age(person.accountId, DROPPED);
  const reader = await sql().reserve();
  await reader`begin`;
  await reader`select count(*) from usage_records`;
  const other = await harness.person();
  const [removed, answer] = await Promise.all([swept(), echo(other.key)]);
  expect(answer.status).toBe(200);
  expect(removed).toMatchObject({ usageMonths: 0 });
  expect(harness.log.join('')).toContain('sweep.usage_month_busy');
  await reader`commit`;
  reader.release();
  expect(await swept()).toMatchObject({ usageMonths: 1 });
});
