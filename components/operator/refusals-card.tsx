'use client';

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { InsightRefusals } from '@/server/operations/operator/insight/schema';
import { formatCount } from '../shared/format';
import { problemText } from '../shared/problem';
import { gatewayError, trpc } from '../shared/trpc-provider';
import { useUrlChoice } from '../shared/use-url-choice';
import { Card, CardHeader } from '../ui/card';
import { type Column, DataTable } from '../ui/data-table';
import { DateTime } from '../ui/date-time';
import { EmptyState } from '../ui/empty-state';
import { formatNumber } from '../ui/format-number';
import { INSIGHT_PERIODS, PERIOD_WORDS } from './insight-view';

type Row = InsightRefusals['by_code'][number];

/** Calls of all accounts that were refused before they ran, in the period of the overview. */
export function RefusalsCard() {
  const [period] = useUrlChoice('period', INSIGHT_PERIODS);
  const query = useQuery({
    queryKey: ['operator', 'refusals', period],
    queryFn: ({ signal }) => trpc.operator.refusals.query({ period }, { signal }),
    placeholderData: keepPreviousData,
  });
  const words = PERIOD_WORDS[period];
  return (
    <Card>
      <CardHeader
        title="Refused calls"
        description={
          query.data
            ? `${formatCount(query.data.refused, 'call')} refused before they ran, ${words}. Stored for 35 days.`
            : `Calls refused before they ran, ${words}.`
        }
      />
      <DataTable
        caption="Refused calls by code"
        columns={COLUMNS}
        rows={query.data?.by_code}
        keyOf={(row) => `${row.error_code} ${row.limit}`}
        stale={query.isPlaceholderData}
        empty={<EmptyState title="No refused calls in this period" />}
        problem={
          query.isError
            ? {
                title: 'The refused calls could not be loaded',
                text: problemText(query.error),
                requestId: gatewayError(query.error)?.request_id,
                onRetry: () => query.refetch(),
                retrying: query.isFetching,
              }
            : null
        }
      />
    </Card>
  );
}

const COLUMNS: readonly Column<Row>[] = [
  {
    id: 'code',
    title: 'Code',
    phone: 'title',
    cell: ({ error_code: code, limit }) => (
      <span className="flex min-w-0 flex-wrap items-baseline gap-x-2">
        <code className="break-all font-mono text-sm">{code}</code>
        {limit !== null && <span className="font-normal text-muted text-sm">limit: {limit}</span>}
      </span>
    ),
  },
  {
    id: 'refused',
    title: 'Refused',
    numeric: true,
    phone: 'figure',
    cell: ({ refused }) => formatNumber(refused),
  },
  {
    id: 'accounts',
    title: 'Accounts',
    numeric: true,
    phone: 'none',
    cell: ({ accounts }) => formatNumber(accounts),
  },
  {
    id: 'last',
    title: 'Last',
    time: true,
    phone: 'note',
    className: 'text-muted',
    cell: ({ last_at: at }) => <DateTime at={at} />,
  },
];
