'use client';

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useDebounced } from '../shared/use-debounced';
import { trpc } from '../shared/trpc-provider';
import type { WantedCall } from './runs';

const PAUSE_MS = 400;
const FORGET_MS = 30_000;

/**
 * What a call would meet: price, problems, balance. Asked for when the input has stood still for a moment; sent in a body.
 * @returns `current` false: the answer is of an input before this one
 */
export function useCheck(call: WantedCall) {
  const wanted = JSON.stringify(call);
  const settled = useDebounced(wanted, PAUSE_MS);
  const query = useQuery({
    queryKey: ['playground', 'check', settled],
    queryFn: ({ signal }) => trpc.playground.dryRun.mutate(JSON.parse(settled), { signal }),
    placeholderData: keepPreviousData,
    gcTime: FORGET_MS,
  });
  return { ...query, current: settled === wanted && !query.isPlaceholderData && !query.isFetching };
}

/** Everything that can be called, without schemas. */
export function useTools() {
  return useQuery({
    queryKey: ['tools', 'list'],
    queryFn: async ({ signal }) => (await trpc.tools.list.query({}, { signal })).tools,
    staleTime: 60_000,
  });
}

/** Files of the person, newest first. */
export function useOwnAssets() {
  return useQuery({
    queryKey: ['assets', 'newest'],
    queryFn: async ({ signal }) => (await trpc.assets.list.query({ limit: 50 }, { signal })).assets,
  });
}
