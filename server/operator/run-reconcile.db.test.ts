import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Harness, startHarness } from '../testing/harness';
import { listReconcileRuns, startReconcile } from './run-reconcile';

/** What a statement of a request may take here, and what is longer. */
const STATEMENT_MS = 2_000;
const LONG_MS = 4_000;

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness({ statementMs: STATEMENT_MS });
});
afterAll(() => harness.close());

it('a run is not ended by the time that a statement of a request may take', {
  timeout: 120_000,
}, async () => {
  const { runtime } = harness;
  await harness.person(1_000_000n);
  let locked = () => {};
  const isLocked = new Promise<void>((done) => {
    locked = done;
  });
  // As slow as the books of years would be.
  const slow = runtime.sql.begin(async (tx) => {
    await tx`lock table ledger_entries in access exclusive mode`;
    const [row] = await tx`select current_setting('statement_timeout') as bound`;
    expect(row).toEqual({ bound: '2s' });
    locked();
    await wait(LONG_MS);
  });
  await isLocked;
  const by = { name: 'operator:test', requestId: 'req_test' };
  const { id, ended } = await startReconcile(runtime, by, false);
  await Promise.all([slow, ended]);
  const { runs } = await listReconcileRuns(runtime, undefined);
  expect(runs.find((run) => run.id === id)).toMatchObject({ status: 'ok', problem: null });
});
