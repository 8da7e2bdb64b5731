'use client';

import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { formatCount } from '../shared/format';
import { problemText } from '../shared/problem';
import { gatewayError } from '../shared/trpc-provider';

interface PagedQuery {
  isError: boolean;
  isFetching: boolean;
  isFetchNextPageError: boolean;
  isFetchingNextPage: boolean;
  hasNextPage: boolean;
  error: unknown;
  refetch: () => unknown;
  fetchNextPage: () => unknown;
}

/**
 * A paged list of the operator's pages.
 * @param view the filters; changing them restarts the list
 * @param initial the server-rendered first page of the first view
 * @param audited each view is recorded in the audit log, so only an action or a click refetches
 */
export function usePages<Page extends { next_cursor: string | null }>(
  root: string,
  view: Readonly<Record<string, unknown>>,
  fetchPage: (cursor: string | undefined, signal: AbortSignal) => Promise<Page>,
  initial: Page | undefined,
  { audited = false } = {},
) {
  const name = JSON.stringify(view);
  const [firstView] = useState(name);
  return useInfiniteQuery({
    queryKey: ['operator', root, name],
    queryFn: ({ pageParam, signal }) => fetchPage(pageParam ?? undefined, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next_cursor,
    placeholderData: keepPreviousData,
    ...(initial && name === firstView && { initialData: { pages: [initial], pageParams: [null] } }),
    ...(audited && {
      staleTime: Number.POSITIVE_INFINITY,
      refetchOnWindowFocus: false,
      refetchOnReconnect: false,
    }),
  });
}

/** The error state of a table. */
export function listProblem(query: PagedQuery, title: string) {
  if (!query.isError || query.isFetchNextPageError) return null;
  return {
    title,
    text: problemText(query.error),
    requestId: gatewayError(query.error)?.request_id,
    onRetry: () => void query.refetch(),
    retrying: query.isFetching,
  };
}

/** The paging of a table. */
export function listPaging(query: PagedQuery, count: number, one: string, many?: string) {
  return {
    hasMore: query.hasNextPage,
    loading: query.isFetchingNextPage,
    onLoadMore: () => void query.fetchNextPage(),
    shown: formatCount(count, one, many),
    error: query.isFetchNextPageError ? problemText(query.error) : null,
  };
}
