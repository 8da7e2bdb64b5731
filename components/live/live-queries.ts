import type { Query, QueryClient } from '@tanstack/react-query';
import type { LiveName } from '@/server/core/live/schema';

/** The query key prefixes affected by each kind of change. */
const QUERIES = {
  // Limits and credit decide which keys are blocked.
  balance: ['balance', 'billing', 'teams', 'keys'],
  calls: ['usage', 'keys', 'teams', 'assets'],
  jobs: ['jobs'],
} as const satisfies Record<LiveName, readonly string[]>;

/** Not affected: prices, orders (polled separately), calls that have ended, and files. */
const UNAFFECTED = new Set(['billing quote', 'billing order', 'usage call', 'assets page']);

/** When a refresh last began to fetch a query; `performance.now()`. */
const fetchedAt = new WeakMap<Query, number>();

/**
 * Refetches the active queries of a kind of change; cached queries refetch when they are shown
 * again.
 * @param notifiedAt when the change was reported
 * @returns whether a request was in flight since before: it may return data from before the change
 */
export async function refreshLive(
  queries: QueryClient,
  name: LiveName,
  notifiedAt: number,
): Promise<boolean> {
  const roots: readonly unknown[] = QUERIES[name];
  const predicate = ({ queryKey }: { queryKey: readonly unknown[] }) =>
    roots.includes(queryKey[0]) && !UNAFFECTED.has(`${queryKey[0]} ${queryKey[1]}`);
  const inFlight = queries.getQueryCache().findAll({ predicate, fetchStatus: 'fetching' });
  // The refresh of another name that was reported with this one fetches some queries of both.
  const stale = inFlight.some((query) => (fetchedAt.get(query) ?? 0) < notifiedAt);
  // Do not cancel a "load more" request in flight.
  const fetched = queries.invalidateQueries({ predicate }, { cancelRefetch: false });
  for (const query of queries.getQueryCache().findAll({ predicate, fetchStatus: 'fetching' }))
    if (!inFlight.includes(query)) fetchedAt.set(query, performance.now());
  await fetched;
  return stale;
}
