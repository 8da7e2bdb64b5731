'use client';

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { trpc } from '../shared/trpc-provider';
import { useDebounced } from '../shared/use-debounced';
import type { CallRequest } from './runs';

const PAUSE_MS = 400;
const CACHE_MS = 30_000;

/**
 * Dry run of a call: price, problems and balance. Debounced; the input is sent in a request body.
 * @returns `current` is false while the result is for an earlier input
 */
export function useDryRun(call: CallRequest) {
  const wanted = JSON.stringify(call);
  const settled = useDebounced(wanted, PAUSE_MS);
  const query = useQuery({
    queryKey: ['playground', 'check', settled],
    queryFn: ({ signal }) => trpc.playground.dryRun.mutate(JSON.parse(settled), { signal }),
    placeholderData: keepPreviousData,
    gcTime: CACHE_MS,
  });
  return { ...query, current: settled === wanted && !query.isPlaceholderData && !query.isFetching };
}

/** All tools, without schemas. */
export function useTools() {
  return useQuery({
    queryKey: ['tools', 'list'],
    queryFn: async ({ signal }) => (await trpc.tools.list.query({}, { signal })).tools,
    staleTime: 60_000,
  });
}

/** The person's files, newest first. */
export function useOwnAssets() {
  return useQuery({
    queryKey: ['assets', 'newest'],
    queryFn: async ({ signal }) => (await trpc.assets.list.query({ limit: '50' }, { signal })).assets,
  });
}
