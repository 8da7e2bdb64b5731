import { afterAll, beforeAll, describe, it } from 'vitest';
import {
  checkAgainstModel,
  checkConcurrently,
  closeCallHarness,
  startCallHarness,
} from '../testing/call-properties';
import type { Harness } from '../testing/harness';

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
