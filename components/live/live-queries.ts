import type { QueryClient } from '@tanstack/react-query';
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

/**
 * Refetches the active queries of a kind of change; cached queries refetch when they are shown
 * again.
 * @returns whether one was already in flight: it may return data from before the change
 */
export async function refreshLive(queries: QueryClient, name: LiveName): Promise<boolean> {
  const roots: readonly unknown[] = QUERIES[name];
  const predicate = ({ queryKey }: { queryKey: readonly unknown[] }) =>
    roots.includes(queryKey[0]) && !UNAFFECTED.has(`${queryKey[0]} ${queryKey[1]}`);
  const busy = queries.isFetching({ predicate }) > 0;
  // Do not cancel a "load more" request in flight.
  await queries.invalidateQueries({ predicate }, { cancelRefetch: false });
  return busy;
}
