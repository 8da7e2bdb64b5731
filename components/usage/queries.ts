'use client';

import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { Attention, NearLimits } from '@/server/usage/attention-schema';
import type { RefusalReport } from '@/server/usage/refusals-schema';
import type {
  UsageCall,
  UsageCalls,
  UsageChoices,
  UsageErrors,
  UsageFilter,
  UsageOverview,
  UsageReport,
} from '@/server/usage/schema';
import { trpc } from '../shared/trpc-provider';
import { CALLS_PAGE, toReportFilter } from './view';

const CHOICES_STALE_MS = 300_000;

/** The keys begin with `usage`, so that one prefix invalidates whatever a call may change. */
const usageKey = {
  report: (filter: UsageFilter) => ['usage', 'report', filter],
  errors: (filter: UsageFilter) => ['usage', 'errors', filter],
  // Below `keys`, as what refuses calls is: saved rules repair a reason.
  refusals: (filter: UsageFilter) => ['keys', 'refusals', filter],
  calls: (filter: UsageFilter, limit: number) => ['usage', 'calls', filter, limit],
  call: (id: string) => ['usage', 'call', id],
  choices: (billing: string | undefined) => ['usage', 'choices', billing ?? null],
  limits: (billing: string | undefined) => ['usage', 'limits', billing ?? null],
  glance: (billing: string | undefined) => ['usage', 'glance', billing ?? null],
} as const;

/** The server-rendered data, and the filter it was read with. */
export interface InitialData<Data> {
  filter: UsageFilter;
  data: Data;
}

/** Compares filters independent of the order of their fields. */
function findInitialData<Data>(first: InitialData<Data> | undefined, filter: UsageFilter): Data | undefined {
  const text = (each: UsageFilter) =>
    JSON.stringify(
      Object.entries(each)
        .filter(([, value]) => value)
        .sort(),
    );
  return first && text(first.filter) === text(filter) ? first.data : undefined;
}

export function useReport(view: UsageFilter, first?: InitialData<UsageReport>) {
  const filter = toReportFilter(view);
  const initial = first && { ...first, filter: toReportFilter(first.filter) };
  return useQuery({
    queryKey: usageKey.report(filter),
    queryFn: ({ signal }) => trpc.usage.report.query(filter, { signal }),
    initialData: findInitialData(initial, filter),
    placeholderData: keepPreviousData,
  });
}

/** Failed calls by tool and code. */
export function useErrors(filter: UsageFilter, first?: InitialData<UsageErrors>) {
  return useQuery({
    queryKey: usageKey.errors(filter),
    queryFn: ({ signal }) => trpc.usage.errorReport.query(filter, { signal }),
    initialData: findInitialData(first, filter),
    placeholderData: keepPreviousData,
  });
}

/** Calls that were refused before they ran. */
export function useRefusals(filter: UsageFilter, first?: InitialData<RefusalReport>) {
  return useQuery({
    queryKey: usageKey.refusals(filter),
    queryFn: ({ signal }) => trpc.usage.refusalReport.query(filter, { signal }),
    initialData: findInitialData(first, filter),
    placeholderData: keepPreviousData,
  });
}

export function useCalls(filter: UsageFilter, first?: InitialData<UsageCalls>, limit = CALLS_PAGE) {
  return useInfiniteQuery({
    queryKey: usageKey.calls(filter, limit),
    queryFn: ({ pageParam, signal }) =>
      trpc.usage.calls.query({ ...filter, limit, cursor: pageParam ?? undefined }, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next_cursor,
    initialData: () => {
      const data = findInitialData(first, filter);
      return data && { pages: [data], pageParams: [null] };
    },
    placeholderData: keepPreviousData,
  });
}

/** The details of an ended call, which is immutable. */
export function useCall(id: string) {
  return useQuery({
    queryKey: usageKey.call(id),
    queryFn: ({ signal }) => trpc.usage.get.query({ id }, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** A content is stored shortly after the end of its call: until then, it is asked for again. */
const CONTENT_WAIT_MS = 5_000;
const CONTENT_RETRY_MS = 1_000;

/** What is stored of a call. */
export function useContent({ id, finished_at: finishedAt }: UsageCall) {
  return useQuery({
    // Not below `usage`: later calls do not change it.
    queryKey: ['contents', 'call', id],
    queryFn: ({ signal }) => trpc.callContents.get.query({ call_id: id }, { signal }),
    refetchInterval: ({ state: { data } }) => {
      const isRecent = Date.now() - Date.parse(finishedAt) < CONTENT_WAIT_MS;
      return data && !data.content && !data.hidden && isRecent ? CONTENT_RETRY_MS : false;
    },
  });
}

/** Whether and for how long an account stores contents; shared with the card of the settings. */
export function useContentSettings(billing: string | undefined) {
  return useQuery({
    queryKey: ['contents', 'settings', billing ?? null],
    queryFn: ({ signal }) => trpc.callContents.settings.query({ billing }, { signal }),
  });
}

export function useChoices(billing: string | undefined, first?: InitialData<UsageChoices>) {
  return useQuery({
    queryKey: usageKey.choices(billing),
    queryFn: ({ signal }) => trpc.usage.choices.query({ billing }, { signal }),
    initialData: first && first.filter.billing === billing ? first.data : undefined,
    staleTime: CHOICES_STALE_MS,
  });
}

export function useUsageSummary(billing: string | undefined, initial: UsageOverview) {
  return useQuery({
    queryKey: usageKey.glance(billing),
    queryFn: ({ signal }) => trpc.usage.glance.query({ billing }, { signal }),
    initialData: initial,
  });
}

/** What refuses calls. Below `keys`, which both calls and credit change. */
export function useAttention(billing: string | undefined, initial: Attention) {
  return useQuery({
    queryKey: ['keys', 'attention', billing ?? null],
    queryFn: ({ signal }) => trpc.usage.attention.query({ billing }, { signal }),
    initialData: initial,
  }).data;
}

/** Spending limits that are nearly used up. */
export function useNearLimits(billing: string | undefined, initial: NearLimits) {
  return useQuery({
    queryKey: usageKey.limits(billing),
    queryFn: ({ signal }) => trpc.usage.nearLimits.query({ billing }, { signal }),
    initialData: initial,
  });
}
