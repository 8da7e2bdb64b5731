import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Harness, startHarness } from '@/test/support/harness';
import { listReconcileRuns, startReconcile } from './run-reconcile';

/** The statement timeout of requests in this test. */
const STATEMENT_MS = 1_000;

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness({ role: 'web', statementMs: STATEMENT_MS });
});
afterAll(() => harness.close());

/** Counts statements that have waited for a lock for longer than that timeout. */
async function countLongWaits(): Promise<number> {
  const rows = await harness.runtime.sql`
    select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
      and query_start < clock_timestamp() - make_interval(secs => ${(2 * STATEMENT_MS) / 1_000})`;
  return rows.length;
}

it('a run is not limited by the statement timeout of requests', async () => {
  const { runtime } = harness;
  await harness.person(1_000_000n);
  let locked = () => {};
  const isLocked = new Promise<void>((done) => {
    locked = done;
  });
  // As slow as a ledger of many years.
  const slow = runtime.sql.begin(async (tx) => {
    await tx`lock table ledger_entries in access exclusive mode`;
    const [row] = await tx`select current_setting('statement_timeout') as bound`;
    expect(row).toEqual({ bound: '1s' });
    locked();
    await expect.poll(countLongWaits).toBe(1);
  });
  await isLocked;
  const by = { name: 'operator:test', requestId: 'req_test' };
  const { id, ended } = await startReconcile(runtime, by, false);
  await Promise.all([slow, ended]);
  const { runs } = await listReconcileRuns(runtime, undefined);
  expect(runs.find((run) => run.id === id)).toMatchObject({ status: 'ok', problem: null });
});
