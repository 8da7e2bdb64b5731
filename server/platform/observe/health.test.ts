import { expect, it } from 'vitest';
import type { GroupState } from '../../kit/web-process-group';
import { Health } from './health';

/** A process that fails its own checks, because it is stopping. */
function createHealth(state: GroupState, isAnotherReady: () => Promise<boolean>) {
  const parts = { running: { stopping: true } } as ConstructorParameters<typeof Health>[0];
  const group = { state, isAnotherReady, collectMetrics: async () => '' };
  return new Health(parts, group);
}

it.each([
  ['starting', true, ['starting']],
  ['stopping', true, ['stopping']],
  ['ready', true, []],
  ['ready', false, ['stopping']],
] as const)(
  'a group that is %s, with another process ready: %s, fails %j',
  async (state, another, failed) => {
    expect(await createHealth(state, async () => another).failedChecksOfGroup()).toEqual(failed);
  },
);

it('is not ready if the primary does not respond', async () => {
  const health = createHealth('ready', () => Promise.reject(new Error('No response')));
  expect(await health.failedChecksOfGroup()).toEqual(['stopping']);
});
