import { afterAll, beforeAll, it } from 'vitest';
import { type Harness, startHarness } from '../../testing/harness';
import { checkDeletionRaces } from './testing/deletion-races';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness.close());

it('fifty times an account is deleted while applications are allowed and let in: nothing of it is left open', () =>
  checkDeletionRaces(harness, 50));
