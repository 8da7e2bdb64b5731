'use client';

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { queryKey } from '../shared/queries';
import { trpc } from '../shared/trpc-provider';

const SHOWN_TOOLS = '6';

/** Tools that match the text, ranked by the API. */
export function useToolSearch(q: string) {
  return useQuery({
    queryKey: ['tools.search', q, SHOWN_TOOLS],
    queryFn: ({ signal }) => trpc.tools.search.query({ q, limit: SHOWN_TOOLS }, { signal }),
    enabled: q !== '',
    staleTime: 60_000,
    placeholderData: keepPreviousData,
  });
}

/** Whether the viewer is an operator of this gateway. */
export function usePaletteOperator(): boolean {
  const { data } = useQuery({
    queryKey: ['viewer'],
    queryFn: ({ signal }) => trpc.auth.viewer.query(undefined, { signal }),
    staleTime: 60_000,
  });
  return data?.operator ?? false;
}

/** The keys whose calls a limit refuses now, cached as on the page of the keys. */
export function usePaletteBlocked() {
  return useQuery({
    queryKey: queryKey.blockedKeys(undefined),
    queryFn: async ({ signal }) => (await trpc.usage.blockedKeys.query({}, { signal })).keys,
  });
}

/** The keys, cached under the same query key as on their page. */
export function usePaletteKeys() {
  return useQuery({
    queryKey: queryKey.keys,
    queryFn: async ({ signal }) => (await trpc.keys.list.query({}, { signal })).keys,
  });
}
