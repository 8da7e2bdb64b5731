import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { expect, it } from 'vitest';
import { refreshLive } from './live-queries';

/** Shown queries that respond when the test says so. */
function show(...keys: string[][]) {
  const queries = new QueryClient();
  const requests: string[] = [];
  let respond: (() => void)[] = [];
  for (const queryKey of keys) {
    const queryFn = () =>
      new Promise((done) => {
        requests.push(queryKey.join(' '));
        respond.push(() => done(null));
      });
    new QueryObserver(queries, { queryKey, queryFn, initialData: null, staleTime: 60_000 }).subscribe(
      () => undefined,
    );
  }
  const respondAll = () => {
    for (const each of respond) each();
    respond = [];
  };
  return { queries, requests, respondAll };
}

it('names that are reported together fetch a query of both once, and need no repeat', async () => {
  const { queries, requests, respondAll } = show(['balance'], ['keys', 'attention'], ['usage', 'summary']);
  const at = performance.now();
  const refreshes = [refreshLive(queries, 'balance', at), refreshLive(queries, 'calls', at)];
  expect(requests).toEqual(['balance', 'keys attention', 'usage summary']);
  respondAll();
  expect(await Promise.all(refreshes)).toEqual([false, false]);
});

it('a request that was in flight before a change was reported causes a repeat', async () => {
  const { queries, requests, respondAll } = show(['balance']);
  for (const begin of [
    () => queries.refetchQueries(),
    () => refreshLive(queries, 'balance', performance.now()),
  ]) {
    requests.length = 0;
    const first = begin();
    await new Promise((done) => setTimeout(done, 5));
    const second = refreshLive(queries, 'balance', performance.now());
    expect(requests).toEqual(['balance']);
    respondAll();
    await first;
    expect(await second).toBe(true);
  }
});
