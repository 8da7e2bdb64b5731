import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Harness, startHarness } from '@/test/support/harness';
import { createSessionActor } from '@/test/support/session-actor';
import { UNLIMITED_RATES } from '@/test/support/unlimited-rates';
import { writeCallsCsv } from './calls-csv';
import { getCall } from './get-call';
import { getChoices } from './get-choices';
import { getReport } from './get-report';
import { getUsageOverview } from './get-usage-overview';
import { listCalls } from './list-calls';
import { type UsageFilter, usageFilterSchema } from './schema';
import { seedUsage } from './seed-usage';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness({ env: UNLIMITED_RATES });
});
afterAll(() => harness.close());

type Person = Awaited<ReturnType<Harness['person']>>;
const NOT_FOUND = expect.objectContaining({ code: 'NOT_FOUND' });
const FORBIDDEN = expect.objectContaining({ code: 'FORBIDDEN' });
const micros = (usd: number) => Math.round(usd * 1e6);
const call = (key: string, skill: string, input: object, billing?: string) =>
  harness.request('POST', '/v1/tools/call', { key, json: { tool: 'diagnostics', skill, input, billing } });

async function readCsv(person: Person, filter: UsageFilter) {
  const { filename, text } = await writeCallsCsv(harness.runtime, createSessionActor(person), filter);
  let all = '';
  for await (const page of text) all += page;
  const [head = '', ...lines] = all.trimEnd().split('\r\n');
  const names = head.split(',');
  return {
    filename,
    rows: lines.map((line) => Object.fromEntries(line.split(',').map((cell, at) => [names[at], cell]))),
  };
}

/** Two members of a team; the second has charged it with their own key. */
async function createMembers(slug: string) {
  const [owner, colleague, outsider] = [
    await harness.person(1_000_000n),
    await harness.person(1_000_000n),
    await harness.person(),
  ];
  const teamId = await harness.team(owner.userId, slug, 1_000_000n);
  await harness.runtime
    .sql`insert into memberships (account_id, user_id, role) values (${teamId}, ${colleague.userId}, 'member')`;
  await call(owner.key, 'spend', { amount_usd: 0.1 }, slug);
  await call(colleague.key, 'spend', { amount_usd: 0.2 }, slug);
  await call(colleague.key, 'spend', { amount_usd: 0.05 });
  return { owner, colleague, outsider, slug };
}

describe('a report', () => {
  it('adds up for any filter: totals, chart, tables, list and CSV cover the same calls', async () => {
    const person = await harness.person();
    await seedUsage(harness.runtime, 'operator:test', { accountId: person.accountId, rows: 3_000, days: 45 });
    const actor = createSessionActor(person);
    const { tools, keys } = await getChoices(harness.runtime, actor, undefined);
    const filters = fc.record(
      {
        period: fc.constantFrom('24h', 'yesterday', '7d', '30d', '90d', 'mtd', 'all'),
        key_id: fc.constantFrom(...keys.map((key) => key.key_id)),
        tool: fc.constantFrom(...tools),
        status: fc.constantFrom('success', 'error'),
      },
      { requiredKeys: ['period'] },
    ) as fc.Arbitrary<UsageFilter>;
    await fc.assert(
      fc.asyncProperty(filters, async (filter) => {
        const report = await getReport(harness.runtime, actor, filter);
        const { rows } = await readCsv(person, filter);
        expect(rows).toHaveLength(report.totals.calls);
        const sum = (values: number[]) => values.reduce((total, value) => total + micros(value), 0);
        const cost = micros(report.totals.cost_usd);
        expect(sum(rows.map((row) => Number(row.cost_usd)))).toBe(cost);
        expect(rows.filter((row) => row.status === 'error')).toHaveLength(report.totals.failed);
        for (const list of [report.by_time, report.by_tool, report.by_key]) {
          expect(sum(list.map((row) => row.cost_usd))).toBe(cost);
          expect(list.reduce((total, row) => total + row.calls, 0)).toBe(report.totals.calls);
        }
        expect(report.is_unused).toBe(false);
        const trends = (list: { trend: number[] }[]) => list.flatMap(({ trend }) => trend);
        for (const list of [report.by_tool, report.by_key]) {
          expect(trends(list).reduce((total, calls) => total + calls, 0)).toBe(report.totals.calls);
          for (const { trend } of list) expect(trend.length).toBe(Math.min(30, list[0]?.trend.length ?? 0));
        }
        for (const list of [report.series.tool, report.series.key]) {
          const isWhole =
            list.length === (list === report.series.tool ? report.by_tool : report.by_key).length;
          for (const series of list) expect(series.calls).toHaveLength(report.by_time.length);
          for (const [at, bucket] of report.by_time.entries()) {
            const spend = sum(list.map(({ cost_usd }) => cost_usd[at] ?? 0));
            expect(spend).toBeLessThanOrEqual(micros(bucket.cost_usd));
            if (isWhole) expect(spend).toBe(micros(bucket.cost_usd));
          }
        }
        const page = await listCalls(harness.runtime, actor, { ...filter, limit: 100 });
        expect(page.calls.map(({ id }) => id)).toEqual(rows.slice(0, 100).map((row) => row.id));
        expect(page.next_cursor === null).toBe(rows.length <= 100);
      }),
      { numRuns: 5 },
    );
  }, 90_000);

  it('is refused for days outside 2000 to 2199', () => {
    for (const day of ['0000-01-01', '0001-01-01', '1999-12-31', '2200-01-01', '9999-12-31'])
      for (const name of ['from', 'to'])
        expect(usageFilterSchema.safeParse({ [name]: day }).success, `${name} ${day}`).toBe(false);
    expect(usageFilterSchema.safeParse({ from: '2000-01-01', to: '2199-12-31' }).success).toBe(true);
  });

  it('supports the longest possible span', async () => {
    const person = await harness.person();
    const days = { from: '2000-01-01', to: '2199-12-31' };
    const report = await getReport(harness.runtime, createSessionActor(person), days);
    expect([report.unit, report.by_time.length]).toEqual(['month', 2400]);
    expect((await listCalls(harness.runtime, createSessionActor(person), days)).calls).toEqual([]);
  });

  it('includes both given days completely, and compares with as many days before', async () => {
    const person = await harness.person();
    await seedUsage(harness.runtime, 'operator:test', { accountId: person.accountId, rows: 2_000, days: 30 });
    const actor = createSessionActor(person);
    const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10);
    const days = { from: day(9), to: day(5) };
    const report = await getReport(harness.runtime, actor, days);
    expect(report).toMatchObject({
      unit: 'day',
      from: `${day(9)}T00:00:00.000Z`,
      to: `${day(4)}T00:00:00.000Z`,
    });
    expect(report.by_time).toHaveLength(5);
    const before = await getReport(harness.runtime, actor, { from: day(14), to: day(10) });
    expect(report.before).toEqual(before.totals);
    const { rows, filename } = await readCsv(person, days);
    expect(rows).toHaveLength(report.totals.calls);
    expect(filename).toBe(`calls-${day(9)}-to-${day(5)}.csv`);
    const one = await getReport(harness.runtime, actor, { from: day(7), to: day(7) });
    expect([one.unit, one.by_time.length]).toEqual(['hour', 24]);
    expect((await getReport(harness.runtime, actor, { from: day(3), to: day(8) })).totals.calls).toBe(0);
    // Yesterday is the day before today in UTC, whichever way it is chosen.
    const yesterday = await getReport(harness.runtime, actor, { period: 'yesterday' });
    expect(yesterday).toEqual(await getReport(harness.runtime, actor, { from: day(1), to: day(1) }));
    expect([yesterday.from, yesterday.to]).toEqual([`${day(1)}T00:00:00.000Z`, `${day(0)}T00:00:00.000Z`]);
  }, 120_000);

  it('is empty for a user without calls, and returns the completed onboarding steps', async () => {
    const person = await harness.person();
    for (const period of ['24h', 'yesterday', '7d', '30d', '90d', 'mtd', 'all'] as const)
      expect(await getReport(harness.runtime, createSessionActor(person), { period })).toMatchObject({
        totals: { calls: 0, cost_usd: 0, avg_latency_ms: null },
        by_tool: [],
        series: { tool: [], key: [], member: null, account: null },
        is_unused: true,
      });
    const steps = () => getUsageOverview(harness.runtime, createSessionActor(person), undefined);
    expect(await steps()).toMatchObject({
      has_key: true,
      has_called: false,
      has_spent: false,
      has_credit: false,
    });
    await call(person.key, 'echo', { message: 'x' });
    expect(await steps()).toMatchObject({
      has_called: true,
      has_spent: false,
      day: { calls: 1, cost_usd: 0 },
    });
  });
});

describe('access to usage', () => {
  it('members see the usage of a team by member and key; others do not', async () => {
    const { owner, colleague, outsider, slug } = await createMembers('usage-crew');
    const report = await getReport(harness.runtime, createSessionActor(owner), {
      billing: slug,
      period: '24h',
    });
    expect(report.totals).toMatchObject({ calls: 2, cost_usd: 0.3 });
    expect(report.by_member?.map(({ user_id, cost_usd }) => [user_id, cost_usd])).toEqual([
      [colleague.userId, 0.2],
      [owner.userId, 0.1],
    ]);
    const spent = (list: { id: string; cost_usd: number[] }[] | null) =>
      list?.map(({ id, cost_usd }) => [id, cost_usd.reduce((sum, usd) => sum + usd, 0)]);
    expect(spent(report.series.member)).toEqual([
      [colleague.userId, 0.2],
      [owner.userId, 0.1],
    ]);
    expect(report.series.account).toBeNull();
    // Of all accounts, what a key charged to each.
    const ofKey = { every_account: true, key_id: colleague.keyId, period: '24h' } as const;
    const charged = await getReport(harness.runtime, createSessionActor(colleague), ofKey);
    expect(spent(charged.series.account)).toEqual(
      charged.by_account?.map(({ id, cost_usd }) => [id, cost_usd]),
    );
    expect(charged.series.account).toHaveLength(2);
    expect(charged.series.member).toBeNull();
    expect(report.by_key.map(({ key_id, is_yours }) => [key_id, is_yours])).toEqual([
      [colleague.keyId, false],
      [owner.keyId, true],
    ]);
    const choices = await getChoices(harness.runtime, createSessionActor(owner), slug);
    expect(choices.members?.map(({ user_id }) => user_id).sort()).toEqual(
      [owner.userId, colleague.userId].sort(),
    );
    expect((await getChoices(harness.runtime, createSessionActor(owner), undefined)).members).toBeNull();
    const theirs = { billing: slug, period: '24h', member: colleague.userId } as const;
    expect((await getReport(harness.runtime, createSessionActor(owner), theirs)).totals.cost_usd).toBe(0.2);
    expect((await readCsv(owner, theirs)).rows).toMatchObject([{ cost_usd: '0.20', charged_to: slug }]);
    for (const ask of [
      () => getReport(harness.runtime, createSessionActor(outsider), { billing: slug }),
      () => listCalls(harness.runtime, createSessionActor(outsider), { billing: slug }),
      () => readCsv(outsider, { billing: slug }),
      () => getChoices(harness.runtime, createSessionActor(outsider), slug),
      () => getUsageOverview(harness.runtime, createSessionActor(outsider), slug),
    ])
      await expect(ask()).rejects.toEqual(FORBIDDEN);
  });

  it('a key or call of another account is not found, and a key shows what it charged to a team', async () => {
    const { owner, colleague, outsider, slug } = await createMembers('usage-keys');
    for (const key_id of [colleague.keyId, 'key_unknown']) {
      const ask = getReport(harness.runtime, createSessionActor(owner), { every_account: true, key_id });
      await expect(ask).rejects.toEqual(NOT_FOUND);
      await expect(listCalls(harness.runtime, createSessionActor(owner), { key_id })).rejects.toEqual(
        NOT_FOUND,
      );
    }
    const all = { every_account: true, key_id: colleague.keyId } as const;
    const report = await getReport(harness.runtime, createSessionActor(colleague), all);
    expect(report.by_account?.map(({ slug: of, cost_usd }) => [of, cost_usd])).toEqual([
      [slug, 0.2],
      [null, 0.05],
    ]);
    const { calls } = await listCalls(harness.runtime, createSessionActor(colleague), all);
    expect(calls.map(({ cost_usd }) => cost_usd)).toEqual([0.05, 0.2]);
    const [personal, team] = calls.map(({ id }) => id) as [string, string];
    // All members see the call charged to the team; the personal call only its owner.
    expect(await getCall(harness.runtime, createSessionActor(owner), team)).toMatchObject({
      key_is_yours: false,
      account: { slug },
    });
    await expect(getCall(harness.runtime, createSessionActor(owner), personal)).rejects.toEqual(NOT_FOUND);
    await expect(getCall(harness.runtime, createSessionActor(outsider), team)).rejects.toEqual(NOT_FOUND);
    await expect(getCall(harness.runtime, createSessionActor(outsider), 'call_nope')).rejects.toEqual(
      NOT_FOUND,
    );
  });

  it('a name that a spreadsheet would execute is plain text in the CSV', async () => {
    const person = await harness.person();
    await harness.runtime.sql`update api_keys set name = '=cmd|calc' where id = ${person.keyId}`;
    await call(person.key, 'echo', { message: 'x' });
    expect((await readCsv(person, {})).rows).toMatchObject([{ key_name: "'=cmd|calc" }]);
  });
});
