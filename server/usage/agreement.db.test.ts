import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Harness, startHarness } from '@/test/support/harness';
import { createSessionActor } from '@/test/support/session-actor';
import { getVisibleKey } from '../identity/keys/get-key';
import { updateKey } from '../identity/keys/update-key';
import { getBalance } from '../money/billing/get-balance';
import { getStatement } from '../money/billing/get-statement';
import { getAttention } from './get-attention';
import { getChoices } from './get-choices';
import { getErrorReport } from './get-errors';
import { getNearLimits } from './get-near-limits';
import { getBlockedKeys, getRefusalReport } from './get-refusals';
import { getReport } from './get-report';
import { getUsageOverview } from './get-usage-overview';
import { listCalls } from './list-calls';
import { writeRefusalsCsv } from './refusals-csv';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness.close());

const micros = (usd: number) => Math.round(usd * 1e6);
const add = <Row>(rows: readonly Row[], read: (row: Row) => number) =>
  rows.reduce((sum, row) => sum + read(row), 0);

/** Calls of two keys: paid, free, failed, and refused for four reasons. */
async function makeCalls() {
  const person = await harness.person(1_000_000n);
  const actor = createSessionActor(person);
  const second = await harness.addKey(person.accountId);
  const call = async (key: string, skill: string, input: object, expected: number) => {
    const json = { tool: 'diagnostics', skill, input };
    expect((await harness.request('POST', '/v1/tools/call', { key, json })).status).toBe(expected);
  };
  await updateKey(harness.runtime, actor, {
    id: second.keyId,
    spend_limit: { amount_usd: 0.3, period: 'day' },
    allowed_tools: ['diagnostics'],
  });
  for (const usd of [0.25, 0.000001, 0.1]) await call(person.key, 'spend', { amount_usd: usd }, 200);
  await call(person.key, 'echo', { message: 'hi' }, 200);
  await call(person.key, 'flaky', { mode: 'throw' }, 502);
  await call(second.key, 'spend', { amount_usd: 0.3 }, 200);
  for (let n = 0; n < 3; n++) await call(second.key, 'spend', { amount_usd: 0.25 }, 429);
  await call(person.key, 'spend', { amount_usd: 'much' }, 400);
  await call(person.key, 'spend', { amount_usd: 0.5 }, 402);
  await call(person.key, 'nothing', {}, 404);
  await harness.runtime.refusals.flush();
  return { actor, second };
}

it('every page says the same of the same calls, refusals and money', async () => {
  const { actor, second } = await makeCalls();
  const { runtime } = harness;
  const day = { period: '24h' } as const;

  // Calls: figures, tables, series, chart, list, errors and overview.
  const report = await getReport(runtime, actor, day);
  const { totals } = report;
  expect(totals).toMatchObject({ calls: 6, failed: 1, cost_usd: 0.650001 });
  const sums: { calls: number; cost_usd: number }[][] = [report.by_tool, report.by_key, report.by_time];
  for (const rows of sums) {
    expect(add(rows, ({ calls }) => calls)).toBe(totals.calls);
    expect(add(rows, (row) => micros(row.cost_usd))).toBe(micros(totals.cost_usd));
  }
  for (const series of [report.series.tool, report.series.key])
    expect(add(series, ({ cost_usd }) => add(cost_usd, micros))).toBe(micros(totals.cost_usd));
  expect((await listCalls(runtime, actor, { ...day, limit: 100 })).calls).toHaveLength(totals.calls);
  expect((await getErrorReport(runtime, actor, { ...day, status: 'error' })).failed).toBe(totals.failed);
  const glance = await getUsageOverview(runtime, actor, undefined);
  for (const each of [glance.day, glance.week, glance.month])
    expect(each).toEqual({ calls: totals.calls, failed: totals.failed, cost_usd: totals.cost_usd });
  for (const { key_id: key, calls, cost_usd } of report.by_key) {
    const ofKey = await getReport(runtime, actor, { ...day, every_account: true, key_id: key });
    expect(ofKey.totals).toMatchObject({ calls, cost_usd });
    expect((await getVisibleKey(runtime, actor, key)).credits_used).toBe(cost_usd);
  }
  expect((await getChoices(runtime, actor, undefined)).keys).toHaveLength(report.by_key.length);

  // Refusals: total, reasons, codes, keys, file, the key's page, its banner and the overview.
  const refused = await getRefusalReport(runtime, actor, day);
  expect(refused.refused).toBe(6);
  for (const rows of [refused.by_reason, refused.by_code, refused.by_key, refused.by_tool])
    expect(add<{ refused: number }>(rows, (row) => row.refused)).toBe(refused.refused);
  expect(refused.last).toHaveLength(refused.refused);
  let csv = '';
  for await (const part of (await writeRefusalsCsv(runtime, actor, day)).text) csv += part;
  expect(add(csv.trimEnd().split('\r\n').slice(1), (line) => Number(line.split(',')[1]))).toBe(
    refused.refused,
  );
  for (const { key_id: key, refused: count } of refused.by_key) {
    const ofKey = await getRefusalReport(runtime, actor, { ...day, key_id: key ?? '' });
    expect([ofKey.refused, add(ofKey.by_reason, (row) => row.refused)]).toEqual([count, count]);
  }
  const attention = await getAttention(runtime, actor, undefined);
  expect(add<{ refused: number }>([...attention.now, ...attention.past], (row) => row.refused)).toBe(
    refused.refused,
  );
  const inForce = refused.by_reason.flatMap(({ key_id, in_force: limit }) =>
    limit ? { key_id, ...limit } : [],
  );
  const { keys: blocked } = await getBlockedKeys(runtime, actor, undefined);
  const sorted = (rows: readonly { key_id: string | null; refused: number; retry_at: string | null }[]) =>
    rows.map(({ key_id, refused: count, retry_at }) => `${key_id} ${count} ${retry_at}`).sort();
  expect(sorted(blocked)).toEqual(sorted(inForce));
  expect(sorted(attention.now)).toEqual(sorted(inForce));
  expect(blocked.map(({ key_id }) => key_id)).toContain(second.keyId);

  // Money: balance, statement and limits.
  const { available_usd: available } = await getBalance(runtime, actor);
  expect(available).toBe(0.349999);
  const statement = await getStatement(runtime, actor, { limit: 50 });
  expect(JSON.stringify(statement)).toContain(`"balance_usd":${available}`);
  const { limits } = await getNearLimits(runtime, actor, undefined);
  const limit = (await getVisibleKey(runtime, actor, second.keyId)).spend_limit;
  expect(limits).toMatchObject([{ key_id: second.keyId, spent_usd: limit?.spent_usd, limit_usd: 0.3 }]);
});
