'use client';

import type { AccountDetail } from '@/server/operations/operator/schema';
import { trpc } from '../shared/trpc-provider';
import { Badge } from '../ui/badge';
import { Card, CardHeader } from '../ui/card';
import { type Column, DataTable } from '../ui/data-table';
import { DateTime } from '../ui/date-time';
import { EmptyState } from '../ui/empty-state';
import { ScrollText } from '../ui/icons';
import { Money } from '../ui/money';
import { listPaging, listProblem, usePages } from './pages';

type Line = AccountDetail['statement']['lines'][number];

const COLUMNS: readonly Column<Line>[] = [
  {
    id: 'what',
    title: 'Description',
    phone: 'title',
    className: 'max-w-96',
    cell: ({ description, kind }) => (
      <span className="flex flex-wrap items-center gap-2">
        <Badge>{kind}</Badge>
        <span className="break-words font-normal">{description}</span>
      </span>
    ),
  },
  {
    id: 'at',
    title: 'Date',
    time: true,
    phone: 'note',
    className: 'text-muted',
    cell: ({ at }) => <DateTime at={at} />,
  },
  {
    id: 'amount',
    title: 'Amount',
    numeric: true,
    phone: 'figure',
    usd: ({ amount_usd }) => amount_usd,
    cell: ({ amount_usd }, decimals) => <Money usd={amount_usd} exact decimals={decimals} sign="always" />,
  },
  {
    id: 'balance',
    title: 'Balance',
    numeric: true,
    phone: 'aside',
    className: 'text-muted',
    usd: ({ balance_usd }) => balance_usd,
    cell: ({ balance_usd }, decimals) => <Money usd={balance_usd} exact decimals={decimals} />,
  },
];

/** Every transaction of the account. */
export function AccountStatement({ account }: { account: AccountDetail }) {
  const { account_id } = account;
  const query = usePages(
    'statement',
    { account_id },
    (cursor, signal) => trpc.operator.accounts.statement.query({ account_id, cursor }, { signal }),
    account.statement,
    { audited: true },
  );
  const lines = query.data?.pages.flatMap((page) => page.lines);
  return (
    <Card>
      <CardHeader title="Statement" />
      <DataTable
        caption="Statement, newest first"
        columns={COLUMNS}
        rows={lines}
        keyOf={({ id }) => id}
        problem={listProblem(query, 'The statement could not be loaded')}
        paging={listPaging(query, lines?.length ?? 0, 'entry', 'entries')}
        empty={
          <EmptyState icon={<ScrollText />} title="No transactions yet">
            Credit purchases and paid calls appear here.
          </EmptyState>
        }
      />
    </Card>
  );
}
