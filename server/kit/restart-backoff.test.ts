import { expect, it } from 'vitest';
import { RestartBackoff } from './restart-backoff.mjs';

const SHORT = { uptimeMs: 2_000 };

function recordCrashes(count: number, crash: Parameters<RestartBackoff['recordCrash']>[0]): number[] {
  const backoff = new RestartBackoff();
  return Array.from({ length: count }, () => backoff.recordCrash(crash));
}

it('waits a second at most for a process that served, while no other serves @E28', () => {
  expect(recordCrashes(6, { ...SHORT, served: true })).toEqual([0, 500, 1_000, 1_000, 1_000, 1_000]);
});

it('waits longer while starts fail, or where others serve', () => {
  const longer = [0, 500, 1_000, 2_000, 4_000, 8_000, 10_000, 10_000];
  expect(recordCrashes(8, { ...SHORT, served: false })).toEqual(longer);
  expect(recordCrashes(8, { ...SHORT, served: true, othersServe: true })).toEqual(longer);
});

it('restarts at once after a minute without a crash', () => {
  const backoff = new RestartBackoff();
  backoff.recordCrash({ ...SHORT, served: true });
  expect(backoff.recordCrash({ ...SHORT, served: true })).toBe(500);
  expect(backoff.recordCrash({ uptimeMs: 60_001, served: true })).toBe(0);
});
