'use client';

import { useSearchParams } from 'next/navigation';
import { useRef, useState } from 'react';
import type { DayStatement } from '@/server/money/billing/schema';
import { formatCount } from '../shared/format';
import { problemText } from '../shared/problem';
import { gatewayError } from '../shared/trpc-provider';
import { Button } from '../ui/button';
import { buttonClass } from '../ui/button-class';
import { Card, CardHeader } from '../ui/card';
import { DataTable } from '../ui/data-table';
import { EmptyState } from '../ui/empty-state';
import { Download, ScrollText } from '../ui/icons';
import { lazyOverlay } from '../ui/lazy-overlay';
import { Money } from '../ui/money';
import { type Billing, useStatement } from './queries';
import { StatementFilterForm } from './statement-filter-form';
import { readFilters, type StatementFilters, writeFilters } from './statement-filters';
import { statementColumns } from './statement-table';

/** Loaded when a day is expanded. */
const DayCalls = lazyOverlay(() => import('./day-calls').then((module) => module.DayCalls));

interface StatementPanelProps {
  billing: Billing;
  /** What the account can spend now, as everywhere. */
  available: number;
  /** The server-rendered first page and the filters it was read with. */
  initial: DayStatement;
  filters: StatementFilters;
}

/** An account's transactions by day, newest first. The CSV has every call, same filters. */
export function StatementPanel({ billing, available, initial, filters: first }: StatementPanelProps) {
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
        description={
          <>
            Available now: <Money usd={available} down className="font-medium text-ink" />. Days and months
            are UTC.
          </>
        }
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
      <StatementBody
        billing={billing}
        statement={statement}
        filtered={query !== writeFilters({}, billing)}
        onClear={showAll}
      />
      <p className="border-t px-4 py-3 text-muted text-sm sm:px-5">
        The paid calls that ended on a day are one entry, booked at the end of that day: the balance next to a
        purchase of the same day does not count them. Free calls have no entry.
      </p>
    </Card>
  );
}

interface StatementBodyProps {
  billing: Billing;
  statement: ReturnType<typeof useStatement>;
  filtered: boolean;
  onClear: () => void;
}

function StatementBody({ billing, statement, filtered, onClear }: StatementBodyProps) {
  const [days, setDays] = useState<ReadonlySet<string>>(new Set());
  const columns = statementColumns({
    days,
    toggle: (day) =>
      setDays((open) => new Set(open.has(day) ? [...open].filter((each) => each !== day) : [...open, day])),
  });
  return (
    <DataTable
      caption="Statement: all transactions, newest first"
      columns={columns}
      rows={statement.data?.pages.flatMap((page) => page.rows)}
      keyOf={(row) => (row.type === 'calls' ? row.day : row.id)}
      after={(row, decimals) =>
        row.type === 'calls' && days.has(row.day) && <DayCalls {...{ billing, row, columns, decimals }} />
      }
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
          statement.data?.pages.reduce((sum, page) => sum + page.rows.length, 0) ?? 0,
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
