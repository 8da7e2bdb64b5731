'use client';

import type { ReactNode } from 'react';
import type { UsageCalls, UsageFilter } from '@/server/usage/schema';
import { formatCount } from '../shared/format';
import { problemText } from '../shared/problem';
import { gatewayError } from '../shared/trpc-provider';
import { useUrlQuery } from '../shared/use-url-query';
import { Card, CardHeader } from '../ui/card';
import { formatNumber } from '../ui/format-number';
import { lazyOverlay } from '../ui/lazy-overlay';
import { lazyPart } from '../ui/lazy-part';
import { SkeletonRows } from '../ui/skeleton';
import { CallSearch } from './call-search';
import { CallTable } from './call-table';
import { NoneFit, type Wider } from './none-fit';
import { type InitialData, useCalls } from './queries';
import { TailSwitch } from './tail-switch';

/** Loaded only for accounts without calls. */
const NoCalls = lazyPart(() => import('./no-calls').then((module) => module.NoCalls));
/** Loaded for a request without a call that ran. */
const NoSuchRequest = lazyPart(() => import('./no-such-request').then((module) => module.NoSuchRequest));
/** Loaded when it is switched on. */
const LiveTail = lazyOverlay(
  () => import('./live-tail').then((module) => module.LiveTail),
  () => <SkeletonRows label="Loading the live tail" />,
);

interface CallsListProps {
  title: string;
  filter: UsageFilter;
  first: InitialData<UsageCalls>;
  limit?: number;
  /** How many calls the filter has; null if it is not known. */
  total?: number | null | undefined;
  /** A link to all calls, next to the title. If set, the list has no paging. */
  more?: ReactNode;
  /** Set if another filter or period may show more calls. */
  wider?: Wider | undefined;
  keys?: boolean;
  /** Offers the search by id and error code, and the live tail. */
  inspects?: boolean;
}

/** Ended calls, newest first. Each opens in a drawer with its own URL, `?call=`. */
export function CallsList({ title, more, inspects, ...list }: CallsListProps) {
  const [get, set] = useUrlQuery();
  const tails = inspects === true && get('tail') === '1';
  return (
    <Card id="calls">
      <CardHeader
        title={title}
        actions={
          inspects ? <TailSwitch on={tails} onChange={(on) => set({ tail: on ? '1' : null })} /> : more
        }
      />
      {inspects && <CallSearch filter={list.filter} />}
      {tails ? (
        <LiveTail title={title} filter={list.filter} />
      ) : (
        <PagedCalls title={title} hasPaging={!more} {...list} />
      )}
    </Card>
  );
}

type PagedCallsProps = Omit<CallsListProps, 'more' | 'inspects'> & { hasPaging: boolean };

function PagedCalls({ title, filter, first, limit, total, wider, keys = true, hasPaging }: PagedCallsProps) {
  const query = useCalls(filter, first, limit);
  const rows = query.data?.pages.flatMap((page) => page.calls);
  return (
    <CallTable
      caption={title}
      keys={keys}
      failed={filter.status === 'error'}
      rows={rows}
      stale={query.isPlaceholderData}
      problem={
        query.isError
          ? {
              title: 'The calls could not be loaded',
              text: problemText(query.error),
              requestId: gatewayError(query.error)?.request_id,
              onRetry: () => query.refetch(),
              retrying: query.isFetching,
            }
          : null
      }
      empty={chooseEmpty(filter, wider)}
      paging={
        hasPaging
          ? {
              hasMore: query.hasNextPage,
              loading: query.isFetchingNextPage,
              onLoadMore: () => query.fetchNextPage(),
              shown: formatShown(rows?.length ?? 0, query.hasNextPage ? total : undefined),
              error: query.isFetchNextPageError ? problemText(query.error) : null,
            }
          : undefined
      }
    />
  );
}

function chooseEmpty(filter: UsageFilter, wider: Wider | undefined): ReactNode {
  const empty = wider ? <NoneFit {...wider} /> : <NoCalls />;
  return filter.request_id ? <NoSuchRequest filter={filter} empty={empty} onClear={wider?.widen} /> : empty;
}

/** `25 of 11,267 calls`; the total of the last page is what it shows. */
function formatShown(shown: number, total: number | null | undefined): string {
  if (total === undefined) return formatCount(shown, 'call');
  return total !== null && total > shown
    ? `${formatNumber(shown)} of ${formatCount(total, 'call')}`
    : `${formatNumber(shown)} of many calls`;
}
