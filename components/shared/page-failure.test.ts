import { expect, it, vi } from 'vitest';
import { describePageFailure } from './page-failure';

it.each<[string, unknown, 'reload' | 'retry', string | undefined]>([
  [
    'a script that the new version lacks',
    Object.assign(new Error(), { name: 'ChunkLoadError' }),
    'reload',
    undefined,
  ],
  ['an error of the server', Object.assign(new Error(), { digest: '42' }), 'retry', '42'],
  ['anything else', null, 'retry', undefined],
])('trying again after %s', (_, error, acts, digest) => {
  const calls = { retry: vi.fn(), reload: vi.fn() };
  const failure = describePageFailure(error, calls.retry, calls.reload);
  failure.retry();
  expect(failure.digest).toBe(digest);
  expect([calls.retry.mock.calls.length, calls.reload.mock.calls.length]).toEqual(
    acts === 'retry' ? [1, 0] : [0, 1],
  );
});
