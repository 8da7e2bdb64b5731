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

/** Lists begin with `jobs`: the live channel has them asked again. A single job is followed by its own stream. */
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
    initialData: initial && { pages: [initial], pageParams: [null] },
    placeholderData: keepPreviousData,
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

/** A job has changed: it and the lists are asked for again. */
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
    // Also where it had ended: then the page has to show how.
    onSettled: refresh,
  });
}
