import { afterAll, beforeAll, describe, it } from 'vitest';
import type { Harness } from '@/test/support/harness';
import {
  checkAgainstModel,
  checkConcurrently,
  closeCallHarness,
  startCallHarness,
} from './testing/call-properties';

describe('the SQL functions of calls', () => {
  let harness: Harness;
  beforeAll(async () => {
    harness = await startCallHarness();
  });
  afterAll(() => closeCallHarness(harness));

  it('match the model for any sequence of operations', async () => {
    await checkAgainstModel(harness, 30);
  });

  it('never exceed a limit under concurrent operations', async () => {
    await checkConcurrently(harness, 20);
  });
});
