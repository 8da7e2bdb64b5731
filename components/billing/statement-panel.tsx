'use client';

import { Download, ScrollText } from 'lucide-react';
import { useSearchParams } from 'next/navigation';
import { useRef } from 'react';
import type { Statement } from '@/server/money/billing/schema';
import { formatCount } from '../shared/format';
import { problemText } from '../shared/problem';
import { gatewayError } from '../shared/trpc-provider';
import { Button, buttonClass } from '../ui/button';
import { Card, CardHeader } from '../ui/card';
import { DataTable } from '../ui/data-table';
import { EmptyState } from '../ui/empty-state';
import { type Billing, useStatement } from './queries';
import { StatementFilterForm } from './statement-filter-form';
import { readFilters, type StatementFilters, writeFilters } from './statement-filters';
import { STATEMENT_COLUMNS } from './statement-table';

interface StatementPanelProps {
  billing: Billing;
  /** The server-rendered first page and the filters it was read with. */
  initial: Statement;
  filters: StatementFilters;
}

/** All transactions of an account, newest first. The CSV has the same filters as the list. */
export function StatementPanel({ billing, initial, filters: first }: StatementPanelProps) {
  const params = useSearchParams();
  const card = useRef<HTMLDivElement>(null);
  const filters = readFilters((name) => params.get(name));
  const query = writeFilters(filters, billing);
  const isFirst = query === writeFilters(first, billing);
  const statement = useStatement(billing, filters, isFirst ? initial : undefined);

  function show(next: StatementFilters) {
    window.history.replaceState(null, '', window.location.pathname + writeFilters(next, billing));
  }

  /** Clearing the filters removes the pressed button, so the statement takes the focus. */
  function showAll() {
    show({});
    card.current?.focus();
  }

  return (
    <Card ref={card} id="statement" tabIndex={-1} className="scroll-mt-20 focus:outline-none">
      <CardHeader
        title="Statement"
        actions={
          // A plain link: the router must not prefetch a file.
          <a
            href={`/dashboard/billing/statement.csv${query}`}
            download
            className={buttonClass({ size: 'sm' })}
          >
            <Download aria-hidden />
            Download CSV
          </a>
        }
      />
      <StatementFilterForm filters={filters} onChange={show} onClear={showAll} />
      <StatementBody statement={statement} filtered={query !== writeFilters({}, billing)} onClear={showAll} />
    </Card>
  );
}

interface StatementBodyProps {
  statement: ReturnType<typeof useStatement>;
  filtered: boolean;
  onClear: () => void;
}

function StatementBody({ statement, filtered, onClear }: StatementBodyProps) {
  return (
    <DataTable
      caption="Statement: all transactions, newest first"
      columns={STATEMENT_COLUMNS}
      rows={statement.data?.pages.flatMap((page) => page.lines)}
      keyOf={(line) => line.id}
      empty={<NoLines filtered={filtered} onClear={onClear} />}
      stale={statement.isPlaceholderData}
      problem={
        statement.isError
          ? {
              title: 'The statement could not be loaded',
              text: problemText(statement.error),
              requestId: gatewayError(statement.error)?.request_id,
              onRetry: () => statement.refetch(),
              retrying: statement.isFetching,
            }
          : null
      }
      paging={{
        hasMore: statement.hasNextPage,
        loading: statement.isFetchingNextPage,
        onLoadMore: () => statement.fetchNextPage(),
        shown: formatCount(
          statement.data?.pages.reduce((sum, page) => sum + page.lines.length, 0) ?? 0,
          'entry',
          'entries',
        ),
        error: statement.isFetchNextPageError ? problemText(statement.error) : null,
      }}
    />
  );
}

function NoLines({ filtered, onClear }: { filtered: boolean; onClear: () => void }) {
  if (filtered)
    return (
      <EmptyState
        icon={<ScrollText />}
        title="No entries match these filters"
        action={<Button onClick={onClear}>Show all entries</Button>}
      >
        Try other dates or another kind.
      </EmptyState>
    );
  return (
    <EmptyState icon={<ScrollText />} title="No transactions yet">
      Credit purchases and paid calls appear here, each with the balance after it.
    </EmptyState>
  );
}
