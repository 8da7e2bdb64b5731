import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { PACE } from '../../platform/settings/pace';
import { AccountWatch } from './watch-accounts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const VERSIONS = { balance: '1', calls: '1', jobs: '1' };

it('sends one statement per second for any number of watchers, and none without', async () => {
  const asked: (readonly string[])[] = [];
  const watch = new AccountWatch(
    async (sessions) => {
      asked.push(sessions);
      return new Map(sessions.map((id) => [id, VERSIONS]));
    },
    (error) => {
      throw error;
    },
    PACE.livePollMs,
  );
  const watcher = { since: null, notify: () => undefined, end: () => undefined };
  const offs = ['a', 'a', 'b', 'b', 'c', 'c'].map((sessionId) => watch.watch({ ...watcher, sessionId }));
  await vi.advanceTimersByTimeAsync(3_000);
  expect(asked).toEqual(Array.from({ length: 3 }, () => ['a', 'b', 'c']));
  for (const off of offs) off();
  expect(watch.watching).toBe(0);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(watch.polls).toBe(3);
});
