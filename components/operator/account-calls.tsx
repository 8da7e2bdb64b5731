'use client';

import type { AccountDetail } from '@/server/operations/operator/schema';
import { CallStatus } from '../shared/call-status';
import { formatDuration } from '../shared/format';
import { trpc } from '../shared/trpc-provider';
import { Card, CardHeader } from '../ui/card';
import { type Column, DataTable } from '../ui/data-table';
import { DateTime } from '../ui/date-time';
import { EmptyState } from '../ui/empty-state';
import { Activity } from '../ui/icons';
import { Money } from '../ui/money';
import { listPaging, listProblem, usePages } from './pages';

type Call = AccountDetail['calls']['calls'][number];

const COLUMNS: readonly Column<Call>[] = [
  {
    id: 'call',
    title: 'Call',
    phone: 'title',
    cell: ({ tool, skill, id }) => (
      <>
        <span className="block break-all font-mono font-normal text-sm">{`${tool}.${skill}`}</span>
        <span className="block break-all font-mono font-normal text-muted text-xs">{id}</span>
      </>
    ),
  },
  {
    id: 'status',
    title: 'Status',
    phone: 'aside',
    cell: ({ status, error_code }) => <CallStatus status={status} code={error_code} />,
  },
  {
    id: 'at',
    title: 'Ended',
    time: true,
    phone: 'note',
    className: 'text-muted',
    cell: ({ finished_at }) => <DateTime at={finished_at} />,
  },
  {
    id: 'took',
    title: 'Duration',
    numeric: true,
    phone: 'none',
    className: 'text-muted',
    cell: ({ latency_ms }) => formatDuration(latency_ms),
  },
  {
    id: 'cost',
    title: 'Cost',
    numeric: true,
    phone: 'figure',
    usd: ({ cost_usd }) => cost_usd,
    cell: ({ cost_usd }, decimals) => <Money usd={cost_usd} exact decimals={decimals} />,
  },
];

/**
 * The latest calls charged to the account. Inputs and outputs are not stored, so operators never
 * see them.
 */
export function AccountCalls({ account }: { account: AccountDetail }) {
  const { account_id } = account;
  const query = usePages(
    'calls',
    { account_id },
    (cursor, signal) => trpc.operator.accounts.calls.query({ account_id, cursor }, { signal }),
    account.calls,
    { audited: true },
  );
  const calls = query.data?.pages.flatMap((page) => page.calls);
  return (
    <Card>
      <CardHeader title="Recent calls" />
      <DataTable
        caption="Calls, newest first"
        columns={COLUMNS}
        rows={calls}
        keyOf={({ id }) => id}
        problem={listProblem(query, 'The calls could not be loaded')}
        paging={listPaging(query, calls?.length ?? 0, 'call')}
        empty={
          <EmptyState icon={<Activity />} title="No calls yet">
            Calls are listed once they have ended.
          </EmptyState>
        }
      />
    </Card>
  );
}
