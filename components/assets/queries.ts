'use client';

import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { AssetFilter, AssetList, AssetOverview } from '@/server/assets/schema';
import { trpc } from '../shared/trpc-provider';
import { ASSETS_PAGE } from './asset-filters';

/** Query keys; `['assets']` covers all of them. */
export const assetKey = {
  all: ['assets'],
  list: (filter: AssetFilter) => ['assets', 'list', filter],
  overview: ['assets', 'overview'],
  page: (id: string) => ['assets', 'page', id],
} as const;

/** @param initial the server-rendered first page, if it is of this filter */
export function useAssets(filter: AssetFilter, initial: AssetList | undefined) {
  return useInfiniteQuery({
    queryKey: assetKey.list(filter),
    queryFn: ({ pageParam, signal }) =>
      trpc.assets.list.query(
        { ...filter, limit: String(ASSETS_PAGE), cursor: pageParam ?? undefined },
        { signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next_cursor,
    placeholderData: keepPreviousData,
    ...(initial && { initialData: { pages: [initial], pageParams: [null] } }),
  });
}

export function useAssetOverview(initialData: AssetOverview) {
  return useQuery({
    queryKey: assetKey.overview,
    queryFn: ({ signal }) => trpc.assets.overview.query(undefined, { signal }),
    initialData,
  });
}

export function useAssetPage(assetId: string) {
  return useQuery({
    queryKey: assetKey.page(assetId),
    queryFn: ({ signal }) => trpc.assets.page.query({ assetId }, { signal }),
    retry: false,
  });
}
