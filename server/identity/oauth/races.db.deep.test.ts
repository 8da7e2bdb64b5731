import { afterAll, beforeAll, it } from 'vitest';
import { type Harness, startHarness } from '@/test/support/harness';
import { checkDeletionRaces } from './testing/deletion-races';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness({ role: 'web' });
});
afterAll(() => harness.close());

it('leaves no access in twenty races of an account deletion with approvals and code exchanges', () =>
  checkDeletionRaces(harness, 20));
