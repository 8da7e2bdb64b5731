import { afterAll, beforeAll, it } from 'vitest';
import { type Harness, startHarness } from '@/test/support/harness';
import { checkCancelRaces } from './testing/cancel-races';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness({ role: 'web' });
});
afterAll(() => harness.close());

it('for 200 jobs, either the cancel or the end of the call wins, never both', () =>
  checkCancelRaces(harness, 40));
