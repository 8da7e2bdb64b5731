import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Harness, startHarness } from '@/test/support/harness';
import { createSessionActor } from '@/test/support/session-actor';
import { reconcile } from '../money/reconcile/reconcile';
import { getReport } from './get-report';
import { seedUsage } from './seed-usage';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness.close());

it('seeded usage keeps the ledger balanced, also with real calls, and reports count all of it', async () => {
  const person = await harness.person(1_000_000n);
  const json = { tool: 'diagnostics', skill: 'spend', input: { amount_usd: 0.25 } };
  expect((await harness.request('POST', '/v1/tools/call', { key: person.key, json })).status).toBe(200);
  const seed = { accountId: person.accountId, rows: 20_000, days: 40 };
  const made = await seedUsage(harness.runtime, 'operator:test', seed);
  expect(made).toMatchObject({ rows: 20_000 });
  expect(made.cost_usd).toBeGreaterThan(1);
  expect((await reconcile(harness.runtime)).differences).toEqual([]);
  const report = await getReport(harness.runtime, createSessionActor(person), { period: 'all' });
  expect(report.totals.calls).toBe(20_001);
  expect(report.totals.cost_usd).toBeCloseTo(made.cost_usd + 0.25, 6);
  expect(report.totals.failed).toBeGreaterThan(0);
});
