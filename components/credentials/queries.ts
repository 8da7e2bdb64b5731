'use client';

import { type QueryClient, useQuery } from '@tanstack/react-query';
import type { AccountRequirement } from '@/server/catalog/credentials/schema';
import { trpc } from '../shared/trpc-provider';

const KEY = ['provider-keys'] as const;

export function useProviderKeys(initialData: AccountRequirement[]) {
  return useQuery({
    queryKey: KEY,
    queryFn: async ({ signal }) =>
      (await trpc.requirements.listOwn.query(undefined, { signal })).requirements,
    initialData,
  });
}

/** Updates one provider in the cache. The data holds key masks only. */
export function updateProvider(queries: QueryClient, slot: AccountRequirement): void {
  queries.setQueryData<AccountRequirement[]>(KEY, (slots) =>
    slots?.map((known) => (known.name === slot.name ? slot : known)),
  );
}

export function refreshProviders(queries: QueryClient): Promise<void> {
  return queries.invalidateQueries({ queryKey: KEY });
}
