import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fuzzTimeoutMs } from '../support/fuzz/amount';
import { type FuzzRun, OPERATIONS, startFuzzRun } from '../support/fuzz/fuzz-run';

// A short run; the long one is fuzz.db.deep.test.ts.
const RUNS = 5;

let garbage: FuzzRun;
beforeAll(async () => {
  garbage = await startFuzzRun();
});
afterAll(async () => {
  await garbage.close();
});

describe('fuzzed requests', () => {
  it.each(OPERATIONS)(
    '%s: returns a documented status, body and headers, and reveals no internals @D1 @D8 @D10 @D12 @D14 @E5 @E20',
    async (id) => await garbage.sendTo(id, RUNS),
    fuzzTimeoutMs(RUNS),
  );

  it('reach every operation @D14', () => {
    expect(garbage.answered().all).toEqual(OPERATIONS);
  });

  it('pollute no prototype, log no error, and leave no difference for reconciliation @D2 @D14', async () => {
    await garbage.expectNothingBroken();
  });
});
