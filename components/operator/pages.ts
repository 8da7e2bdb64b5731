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
 * A list of the operator, page after page.
 * @param view what is filtered: with another one the list begins anew
 * @param initial the first page of the view that the server was asked for
 * @param audited each look is written down: only an act or a press asks again
 */
export function usePages<Page extends { next_cursor: string | null }>(
  root: string,
  view: Readonly<Record<string, unknown>>,
  ask: (cursor: string | undefined, signal: AbortSignal) => Promise<Page>,
  initial: Page,
  { audited = false } = {},
) {
  const name = JSON.stringify(view);
  const [firstView] = useState(name);
  return useInfiniteQuery({
    queryKey: ['operator', root, name],
    queryFn: ({ pageParam, signal }) => ask(pageParam ?? undefined, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next_cursor,
    initialData: name === firstView ? { pages: [initial], pageParams: [null] } : undefined,
    placeholderData: keepPreviousData,
    ...(audited && {
      staleTime: Number.POSITIVE_INFINITY,
      refetchOnWindowFocus: false,
      refetchOnReconnect: false,
    }),
  });
}

/** What a table says where its list could not be loaded. */
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

/** What stands under a table. */
export function listPaging(query: PagedQuery, count: number, noun: string) {
  return {
    hasMore: query.hasNextPage,
    loading: query.isFetchingNextPage,
    onLoadMore: () => void query.fetchNextPage(),
    shown: formatCount(count, noun),
    error: query.isFetchNextPageError ? problemText(query.error) : null,
  };
}
