import { afterAll, beforeAll, describe, it } from 'vitest';
import { checkAtOnce, checkModelled, closeCallHarness, startCallHarness } from '../testing/call-properties';
import type { Harness } from '../testing/harness';

describe('the SQL functions of calls', () => {
  let harness: Harness;
  beforeAll(async () => {
    harness = await startCallHarness();
  });
  afterAll(() => closeCallHarness(harness));

  it('do what the model says, whatever comes after whatever', async () => {
    await checkModelled(harness, 60);
  });

  it('hold every bound at every instant, whatever is done at once', async () => {
    await checkAtOnce(harness, 40);
  });
});
