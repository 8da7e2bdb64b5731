import { afterAll, beforeAll, describe, it } from 'vitest';
import type { Harness } from '@/test/support/harness';
import {
  checkAgainstModel,
  checkConcurrently,
  closeCallHarness,
  startCallHarness,
} from './testing/call-properties';

// A short run; the long one is in call-functions.property.db.deep.test.ts.
describe('the SQL functions of calls', () => {
  let harness: Harness;
  beforeAll(async () => {
    harness = await startCallHarness();
  });
  afterAll(() => closeCallHarness(harness));

  it('match the model for any sequence of operations @A16', async () => {
    await checkAgainstModel(harness, 8);
  });

  it('never exceed a limit under concurrent operations @A1', async () => {
    await checkConcurrently(harness, 4);
  });
});
