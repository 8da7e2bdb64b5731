'use client';

import { useInfiniteQuery } from '@tanstack/react-query';
import type { ReconcileList } from '@/server/operations/operator/schema';
import { trpc } from '../shared/trpc-provider';

/** How often the progress of a running reconciliation is polled. */
const PROGRESS_MS = 1_000;

/** The reconciliation runs; polled only while one is running. */
export function useReconcileRuns(initial: ReconcileList) {
  return useInfiniteQuery({
    queryKey: ['operator', 'reconcile'],
    queryFn: ({ pageParam, signal }) =>
      trpc.operator.reconcile.list.query({ cursor: pageParam ?? undefined }, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next_cursor,
    initialData: { pages: [initial], pageParams: [null] },
    refetchInterval: ({ state }) =>
      state.data?.pages[0]?.runs[0]?.status === 'running' ? PROGRESS_MS : false,
  });
}
