import { afterAll, beforeAll, expect, it } from 'vitest';
import { reconcile } from '@/server/money/reconcile/reconcile';
import { type EndpointFuzz, FUZZ_RUNS, FUZZ_TIMEOUT_MS, startEndpointFuzz } from '../support/fuzz/endpoints';
import { expectGarbageRefused, FUZZED_PROCEDURES } from '../support/fuzz/procedures';

let doors: EndpointFuzz;
beforeAll(async () => {
  doors = await startEndpointFuzz();
});
afterAll(() => doors.close());

it.each(FUZZED_PROCEDURES)(
  '%s rejects garbage with a tRPC error',
  (...procedure) => expectGarbageRefused(doors, procedure, Math.ceil(FUZZ_RUNS / 4)),
  FUZZ_TIMEOUT_MS,
);

it('logs no error, and reconciliation finds no differences', async () => {
  const { harness } = doors;
  expect(harness.log.filter((line) => line.includes('"level":"error"'))).toEqual([]);
  expect((await reconcile(harness.runtime)).differences).toEqual([]);
});
