'use client';

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { InsightRefusals } from '@/server/operations/operator/insight/schema';
import { formatCount } from '../shared/format';
import { problemText } from '../shared/problem';
import { gatewayError, trpc } from '../shared/trpc-provider';
import { useUrlChoice } from '../shared/use-url-choice';
import { Card, CardHeader } from '../ui/card';
import { type Column, DataTable } from '../ui/data-table';
import { EmptyState } from '../ui/empty-state';
import { formatNumber } from '../ui/format-number';
import { INSIGHT_PERIODS, PERIOD_WORDS } from './insight-view';
import { codeColumn, countColumns } from './refusal-columns';

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
  codeColumn(),
  {
    id: 'accounts',
    title: 'Accounts',
    numeric: true,
    phone: 'none',
    cell: ({ accounts }) => formatNumber(accounts),
  },
  ...countColumns(),
];
