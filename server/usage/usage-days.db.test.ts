import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type Harness, startHarness } from '@/test/support/harness';
import { createSessionActor } from '@/test/support/session-actor';
import { reconcile } from '../money/reconcile/reconcile';
import { addEndedDays } from './add-ended-days';
import { getReport } from './get-report';
import { getUsageOverview } from './get-usage-overview';
import { seedUsage } from './seed-usage';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness.close());

type Person = Awaited<ReturnType<Harness['person']>>;
const PERIODS = ['24h', '7d', '30d', '90d', 'mtd', 'all', 'yesterday'] as const;

const addDays = () => harness.runtime.db.transaction(addEndedDays);
const forgetDays = async () => {
  await harness.runtime.sql`delete from retention_marks where what = 'usage_days'`;
  await harness.runtime.sql`delete from usage_days`;
};
const countDays = async () => {
  const [row] = await harness.runtime.sql<{ days: number }[]>`select count(*)::int as days from usage_days`;
  return row?.days ?? 0;
};

/** All usage responses of an account, without the time of the request. */
async function readAll(person: Person, keyId: string) {
  const { runtime } = harness;
  const actor = createSessionActor(person);
  const reports = PERIODS.flatMap((period) => [{ period }, { period, key_id: keyId }]);
  const spans = [
    { from: '2020-01-01', to: '2030-01-01' },
    { from: new Date(Date.now() - 20 * 86_400_000).toISOString().slice(0, 10), tool: 'math' },
  ];
  const summaries = ['day', 'week', 'month', 'all'].flatMap((period) => [
    `/v1/usage?period=${period}`,
    `/v1/usage?period=${period}&key_id=${keyId}`,
  ]);
  return {
    reports: await Promise.all([...reports, ...spans].map((filter) => getReport(runtime, actor, filter))),
    glance: await getUsageOverview(runtime, actor, undefined),
    summaries: await Promise.all(
      summaries.map(async (path) => {
        const { status, body } = await harness.request('GET', path, { key: person.key });
        expect(status).toBe(200);
        return { ...body, to: null };
      }),
    ),
  };
}

it('hours are added to the current day, and concurrent readers count each of them once', async () => {
  const { runtime } = harness;
  const person = await harness.person(1_000_000n);
  const call = { tool: 'math', skill: 'evaluate', input: { expression: '6*7' } };
  const callBefore = async (hours: number) => {
    expect((await harness.request('POST', '/v1/tools/call', { key: person.key, json: call })).status).toBe(
      200,
    );
    await runtime.sql`update usage_rollups set hour = hour - make_interval(hours => ${hours})
      where account_id = ${person.accountId} and hour = date_trunc('hour', now(), 'UTC')`;
    await runtime.sql`update usage_records set finished_at = finished_at - make_interval(hours => ${hours})
      where account_id = ${person.accountId} and finished_at >= date_trunc('hour', now(), 'UTC')`;
  };
  const countCalls = async () =>
    (await harness.request('GET', '/v1/usage?period=month', { key: person.key })).body.calls;
  await forgetDays();
  for (let hour = 9; hour >= 2; hour--) {
    await callBefore(hour);
    const frozenNow = [addDays(), ...Array.from({ length: 6 }, countCalls)];
    expect(await Promise.all(frozenNow)).toEqual([1, ...Array.from({ length: 6 }, () => 10 - hour)]);
    // As if the sweep had run then: all later hours are still to be added.
    await runtime.sql`update retention_marks
      set kept_from = date_trunc('hour', now(), 'UTC') - make_interval(hours => ${hour - 1}) where what = 'usage_days'`;
  }
  const days = await runtime.sql`select calls from usage_days where account_id = ${person.accountId}`;
  expect(days.length).toBeLessThanOrEqual(2);
  expect(days.reduce((sum, day) => sum + day.calls, 0)).toBe(8);
  expect((await reconcile(runtime)).differences).toEqual([]);
});

it('claimed usage is counted once when the claim and the adding of days run concurrently', async () => {
  const { runtime } = harness;
  for (let round = 0; round < 4; round++) {
    await forgetDays();
    const { body } = await harness.request('POST', '/v1/auth/provision', { ip: `203.0.113.${round}` });
    const call = { tool: 'math', skill: 'evaluate', input: { expression: '6*7' } };
    expect((await harness.request('POST', '/v1/tools/call', { key: body.api_key, json: call })).status).toBe(
      200,
    );
    await runtime.sql`update usage_rollups set hour = hour - interval '3 days' where account_id = ${body.account_id}`;
    await runtime.sql`update usage_records set finished_at = finished_at - interval '3 days' where account_id = ${body.account_id}`;
    const person = await harness.person(1_000_000n);
    const token = new URL(body.claim_url).searchParams.get('token');
    const [claim] = await Promise.all([
      harness.request('POST', '/v1/auth/claim', { key: person.key, json: { token } }),
      addDays(),
    ]);
    expect(claim.status).toBe(200);
    const { body: usage } = await harness.request('GET', '/v1/usage?period=month', { key: person.key });
    expect(usage.calls).toBe(1);
    expect((await reconcile(runtime)).differences).toEqual([]);
  }
});

it('daily sums equal hourly sums for every span, also with usage seeded into the past', async () => {
  const person = await harness.person(1_000_000n);
  const seed = { accountId: person.accountId, rows: 3_000, days: 100 };
  const { key_ids: keys } = await seedUsage(harness.runtime, 'operator:test', seed);
  const key = String(keys[1]);
  await forgetDays();
  // Both run at the same instant, because reports include the current hour.
  const { clock } = harness.runtime.ports;
  const reads = clock.now();
  const standing = vi.spyOn(clock, 'now').mockImplementation(() => reads);
  const byHours = await readAll(person, key);
  expect(byHours.reports[4]?.totals.calls).toBeGreaterThan(1000);

  expect(await addDays()).toBeGreaterThan(100);
  const added = await countDays();
  expect(await addDays()).toBe(0);
  expect(await countDays()).toBe(added);
  const byDays = await readAll(person, key);
  expect(byDays.reports).toEqual(byHours.reports);
  expect(byDays).toEqual(byHours);
  standing.mockRestore();
  // Usage seeded later is added to the days as well.
  await seedUsage(harness.runtime, 'operator:test', { ...seed, rows: 1000 });
  expect((await reconcile(harness.runtime)).differences).toEqual([]);
  const before = await readAll(person, key);
  // The past is read from days, not hours: a change there is visible.
  await harness.runtime.sql`update usage_days set calls = calls + 1000
    where (account_id, day, key_id, tool) = (
      select account_id, day, key_id, tool from usage_days
      where account_id = ${person.accountId} and day > now() - interval '10 days' limit 1)`;
  const changed = await readAll(person, key);
  expect(changed.reports[4]?.totals.calls).toBe((before.reports[4]?.totals.calls ?? 0) + 1000);
  expect((await reconcile(harness.runtime)).differences).toMatchObject([{ check: 'day equals its hours' }]);
});

it('a report of 90 days, read from daily sums, equals its single calls to the micro-dollar', async () => {
  const { runtime } = harness;
  const person = await harness.person(1_000_000n);
  await addDays();
  await seedUsage(runtime, 'operator:test', { accountId: person.accountId, rows: 3_000, days: 100 });
  const call = { tool: 'diagnostics', skill: 'spend', input: { amount_usd: 0.012345 } };
  expect((await harness.request('POST', '/v1/tools/call', { key: person.key, json: call })).status).toBe(200);
  const report = await getReport(runtime, createSessionActor(person), { period: '90d' });
  const sumBy = async (column: string) =>
    await runtime.sql<{ name: string; calls: number; failed: number; microusd: number }[]>`
      select ${runtime.sql.unsafe(column)} as name, count(*)::int as calls,
        count(*) filter (where status = 'error')::int as failed,
        sum(raw_cost_microusd + markup_microusd)::float8 as microusd
      from usage_records
      where account_id = ${person.accountId} and finished_at >= ${report.from} and finished_at < ${report.to}
      group by 1 order by 1`;
  const toSums = (rows: readonly { calls: number; failed?: number; cost_usd: number }[], names: string[]) =>
    rows
      .map(({ calls, failed, cost_usd: usd }, at) => ({
        name: names[at],
        calls,
        ...(failed !== undefined && { failed }),
        microusd: Math.round(usd * 1e6),
      }))
      .sort((a, b) => (String(a.name) < String(b.name) ? -1 : 1));
  const { by_tool: tools, by_key: keys, by_time: days } = report;
  expect(days).toHaveLength(90);
  expect(
    toSums(
      tools,
      tools.map(({ tool }) => tool),
    ),
  ).toEqual([...(await sumBy('tool'))]);
  expect(
    toSums(
      keys,
      keys.map(({ key_id }) => key_id),
    ),
  ).toEqual([...(await sumBy('key_id'))]);
  const used = days.filter(({ calls }) => calls > 0);
  const byDay = await sumBy("to_char(finished_at at time zone 'UTC', 'YYYY-MM-DD')");
  expect(
    toSums(
      used,
      used.map(({ at }) => at.slice(0, 10)),
    ),
  ).toEqual(byDay.map(({ failed: _, ...sums }) => sums));
});
