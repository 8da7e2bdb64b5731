import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { closeWorkers } from '../platform/workers/cpu-pool';
import { FUZZ_TIMES, fuzzTimeoutMs } from './fuzz/amount';
import { type GarbageRun, OPERATIONS, startGarbageRun } from './fuzz/garbage';

// FUZZ_RUNS multiplies the number of requests.
const RUNS = 60 * FUZZ_TIMES;

let garbage: GarbageRun;
beforeAll(async () => {
  garbage = await startGarbageRun();
});
afterAll(async () => {
  await garbage.close();
  closeWorkers();
});

describe('garbage of every kind', () => {
  it.each(OPERATIONS)(
    '%s: has a documented status, the documented shape and headers, and tells nothing of the inside',
    async (id) => await garbage.sendTo(id, RUNS),
    fuzzTimeoutMs(RUNS),
  );

  it('was answered: every operation was reached, and most of them did what they are for', () => {
    const { all, succeeded } = garbage.answered();
    expect(all).toEqual(OPERATIONS);
    expect(succeeded.length).toBeGreaterThan(OPERATIONS.length * 0.8);
  });

  it('changed no prototype, failed nowhere inside, and left books that agree', async () => {
    await garbage.expectNothingBroken();
  });
});
