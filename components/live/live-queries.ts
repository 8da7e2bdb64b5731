import type { QueryClient } from '@tanstack/react-query';
import type { LiveName } from '@/server/core/live/schema';

/** Which answers are of what, by the beginning of their query key. */
const QUERIES = {
  balance: ['balance', 'billing', 'teams'],
  calls: ['usage', 'keys', 'teams', 'assets'],
  jobs: ['jobs'],
} as const satisfies Record<LiveName, readonly string[]>;

/** What none of it changes: a price, an order that is watched by itself, a call that has ended, a file. */
const APART = new Set(['billing quote', 'billing order', 'usage call', 'assets page']);

/**
 * Asks again for what the page shows of it; what is kept from other pages, when it is shown again.
 * @returns whether some of it was being fetched already: it is left to end, and may be from before
 */
export async function refreshLive(queries: QueryClient, name: LiveName): Promise<boolean> {
  const roots: readonly unknown[] = QUERIES[name];
  const predicate = ({ queryKey }: { queryKey: readonly unknown[] }) =>
    roots.includes(queryKey[0]) && !APART.has(`${queryKey[0]} ${queryKey[1]}`);
  const busy = queries.isFetching({ predicate }) > 0;
  // A page that is being added to a list must not be lost for it.
  await queries.invalidateQueries({ predicate }, { cancelRefetch: false });
  return busy;
}
