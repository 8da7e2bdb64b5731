import type { QueryClient } from '@tanstack/react-query';
import type { LiveName } from '@/server/live/schema';

/** Which answers are of what, by the beginning of their query key. */
const QUERIES = {
  balance: ['balance', 'billing', 'teams'],
  calls: ['usage', 'history', 'keys', 'teams'],
  jobs: ['jobs'],
} as const satisfies Record<LiveName, readonly string[]>;

/** Of `billing`, what no movement of money changes: a price, and an order that is watched by itself. */
const APART = new Set<unknown>(['quote', 'order']);

/**
 * Asks again for what the page shows of it; what is kept from other pages, when it is shown again.
 * @returns whether some of it was being fetched already: it is left to end, and may be from before
 */
export async function refreshLive(queries: QueryClient, name: LiveName): Promise<boolean> {
  const roots: readonly unknown[] = QUERIES[name];
  const predicate = ({ queryKey }: { queryKey: readonly unknown[] }) =>
    roots.includes(queryKey[0]) && !(queryKey[0] === 'billing' && APART.has(queryKey[1]));
  const busy = queries.isFetching({ predicate }) > 0;
  // A page that is being added to a list must not be lost for it.
  await queries.invalidateQueries({ predicate }, { cancelRefetch: false });
  return busy;
}
