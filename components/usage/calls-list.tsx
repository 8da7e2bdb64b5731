'use client';

import { SearchX } from 'lucide-react';
import dynamic from 'next/dynamic';
import type { ReactNode } from 'react';
import type { UsageCall, UsageCalls, UsageFilter } from '@/server/usage/schema';
import { CallStatus } from '../shared/call-status';
import { formatCount, formatDuration } from '../shared/format';
import { problemText } from '../shared/problem';
import { gatewayError } from '../shared/trpc-provider';
import { useUrlQuery } from '../shared/use-url-query';
import { Button } from '../ui/button';
import { Card, CardHeader } from '../ui/card';
import { type Column, DataTable } from '../ui/data-table';
import { DateTime } from '../ui/date-time';
import { EmptyState } from '../ui/empty-state';
import { Money } from '../ui/money';
import { type InitialData, useCalls } from './queries';

/** Loaded only for accounts without calls. */
const NoCalls = dynamic(() => import('./no-calls').then((module) => module.NoCalls));
/** Loaded when a call is opened. */
const CallDrawer = dynamic(() => import('./call-drawer').then((module) => module.CallDrawer), { ssr: false });

interface CallsListProps {
  title: string;
  filter: UsageFilter;
  first: InitialData<UsageCalls>;
  limit?: number;
  /** A link to all calls, next to the title. If set, the list has no paging. */
  more?: ReactNode;
  /** Clears the filters; set only if there are any. */
  onClear?: (() => void) | undefined;
  keys?: boolean;
}

/** Ended calls, newest first. Each opens in a drawer with its own URL, `?call=`. */
export function CallsList({ title, filter, first, limit, more, onClear, keys = true }: CallsListProps) {
  const [get, set] = useUrlQuery();
  const query = useCalls(filter, first, limit);
  const rows = query.data?.pages.flatMap((page) => page.calls);
  const open = get('call');
  return (
    <Card id="calls">
      <CardHeader title={title} actions={more} />
      <DataTable
        caption={title}
        columns={keys ? COLUMNS : COLUMNS.filter(({ id }) => id !== 'key')}
        rows={rows}
        keyOf={(call) => call.id}
        onOpen={(call) => set({ call: call.id }, 'push')}
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
        empty={onClear ? <NoneFit onClear={onClear} /> : <NoCalls />}
        paging={
          more
            ? undefined
            : {
                hasMore: query.hasNextPage,
                loading: query.isFetchingNextPage,
                onLoadMore: () => query.fetchNextPage(),
                shown: formatCount(rows?.length ?? 0, 'call'),
                error: query.isFetchNextPageError ? problemText(query.error) : null,
              }
        }
      />
      {open && (
        <CallDrawer
          id={open}
          known={rows?.find((call) => call.id === open)}
          onClose={() => set({ call: null })}
        />
      )}
    </Card>
  );
}

const COLUMNS: readonly Column<UsageCall>[] = [
  {
    id: 'call',
    title: 'Call',
    phone: 'title',
    cell: (call) => (
      <span className="break-all font-mono font-normal text-sm">
        <span className="text-muted">{call.tool}.</span>
        {call.skill}
      </span>
    ),
  },
  {
    id: 'status',
    title: 'Status',
    phone: 'note',
    cell: (call) => (
      <>
        <CallStatus status={call.status} />
        <span className="min-w-0 truncate text-muted sm:hidden">{call.key_name}</span>
      </>
    ),
  },
  {
    id: 'key',
    title: 'Key',
    phone: 'none',
    className: 'max-w-56',
    cell: (call) => (
      <span
        className="block truncate"
        title={call.member ? `${call.key_name}, ${call.member}` : call.key_name}
      >
        {call.key_name}
        {call.member && <span className="text-muted">, {call.member}</span>}
      </span>
    ),
  },
  {
    id: 'cost',
    title: 'Cost',
    numeric: true,
    phone: 'figure',
    cell: (call) => <Money usd={call.cost_usd} className={call.cost_usd === 0 ? 'text-muted' : undefined} />,
  },
  {
    id: 'time',
    title: 'Duration',
    numeric: true,
    phone: 'none',
    className: 'whitespace-nowrap text-muted',
    cell: (call) => formatDuration(call.latency_ms),
  },
  {
    id: 'when',
    title: 'When',
    numeric: true,
    phone: 'aside',
    className: 'text-muted',
    cell: (call) => <DateTime at={call.created_at} />,
  },
];

function NoneFit({ onClear }: { onClear: () => void }) {
  return (
    <EmptyState
      icon={<SearchX />}
      title="No calls match these filters"
      action={<Button onClick={onClear}>Clear filters</Button>}
    >
      Try another period, key, tool or status.
    </EmptyState>
  );
}
