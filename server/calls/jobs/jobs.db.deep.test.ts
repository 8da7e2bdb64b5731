import { afterAll, beforeAll, it } from 'vitest';
import { type Harness, startHarness } from '../../testing/harness';
import { checkCancelRaces } from './testing/cancel-races';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness.close());

it('two hundred cancels win or lose against the end of their call exactly once', () =>
  checkCancelRaces(harness, 40));
