import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { closeWorkers } from '../platform/workers/cpu-pool';
import { fuzzTimeoutMs } from './fuzz/amount';
import { type GarbageRun, OPERATIONS, startGarbageRun } from './fuzz/garbage';

// A short run; the long one is fuzz.db.deep.test.ts.
const RUNS = 5;

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

  it('was answered: every operation was reached', () => {
    expect(garbage.answered().all).toEqual(OPERATIONS);
  });

  it('changed no prototype, failed nowhere inside, and left books that agree', async () => {
    await garbage.expectNothingBroken();
  });
});
