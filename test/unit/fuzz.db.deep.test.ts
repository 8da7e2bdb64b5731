import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FUZZ_TIMES, fuzzTimeoutMs } from '../support/fuzz/amount';
import { type FuzzRun, OPERATIONS, startFuzzRun } from '../support/fuzz/fuzz-run';

// FUZZ_RUNS multiplies the number of requests.
const RUNS = 60 * FUZZ_TIMES;

let garbage: FuzzRun;
beforeAll(async () => {
  garbage = await startFuzzRun();
});
afterAll(async () => {
  await garbage.close();
});

describe('fuzzed requests', () => {
  it.each(OPERATIONS)(
    '%s: returns a documented status, body and headers, and reveals no internals',
    async (id) => await garbage.sendTo(id, RUNS),
    fuzzTimeoutMs(RUNS),
  );

  it('reach every operation, and most operations also succeed', () => {
    const { all, succeeded } = garbage.answered();
    expect(all).toEqual(OPERATIONS);
    expect(succeeded.length).toBeGreaterThan(OPERATIONS.length * 0.8);
  });

  it('pollute no prototype, log no error, and leave no difference for reconciliation', async () => {
    await garbage.expectNothingBroken();
  });
});
