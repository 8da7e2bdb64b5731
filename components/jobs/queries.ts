'use client';

import {
  keepPreviousData,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import type { OwnJobDetail, OwnJobList } from '@/server/calls/jobs/schema';
import { gatewayError, trpc } from '../shared/trpc-provider';
import { type JobFilters, jobsInput, RUNNING_SHOWN } from './job-filters';

/**
 * List keys begin with `jobs`: the live channel refetches them. A single job follows its own event
 * stream.
 */
const jobKey = {
  lists: ['jobs'],
  list: (filters: JobFilters) => ['jobs', 'list', filters],
  running: ['jobs', 'running'],
  one: (id: string) => ['job', id],
} as const;

export function useJobs(filters: JobFilters, initial: OwnJobList | undefined) {
  return useInfiniteQuery({
    queryKey: jobKey.list(filters),
    queryFn: ({ pageParam, signal }) =>
      trpc.jobs.listOwn.query({ ...jobsInput(filters), cursor: pageParam ?? undefined }, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next_cursor,
    placeholderData: keepPreviousData,
    ...(initial && { initialData: { pages: [initial], pageParams: [null] } }),
  });
}

export function useRunningJobs(initial: OwnJobList) {
  return useQuery({
    queryKey: jobKey.running,
    queryFn: ({ signal }) => trpc.jobs.listOwn.query({ status: 'running', limit: RUNNING_SHOWN }, { signal }),
    initialData: initial,
  });
}

export function useJob(id: string, initial: OwnJobDetail | undefined) {
  return useQuery({
    queryKey: jobKey.one(id),
    queryFn: ({ signal }) => trpc.jobs.getOwn.query({ jobId: id }, { signal }),
    initialData: initial,
    retry: (failures, error) => failures < 2 && gatewayError(error)?.code !== 'NOT_FOUND',
  });
}

/** Refetches a job and the lists after it changed. */
export function useRefreshJob(id: string): () => Promise<void> {
  const queries = useQueryClient();
  return async () => {
    await Promise.all([
      queries.invalidateQueries({ queryKey: jobKey.one(id) }),
      queries.invalidateQueries({ queryKey: jobKey.lists }),
    ]);
  };
}

export function useCancelJob(id: string) {
  const refresh = useRefreshJob(id);
  return useMutation({
    mutationFn: () => trpc.jobs.cancelOwn.mutate({ jobId: id }),
    // Also on failure: if the job had already ended, the page must show how.
    onSettled: refresh,
  });
}
