'use client';

import type { CallsRow } from '@/server/money/billing/schema';
import { problemText } from '../shared/problem';
import { Button } from '../ui/button';
import { type Column, columnDecimals, DataTableRow, type Decimals } from '../ui/data-table';
import { Td, Tr } from '../ui/table';
import { type Billing, useDayCalls } from './queries';
import type { StatementRow } from './statement-table';

interface DayCallsProps {
  billing: Billing;
  row: CallsRow;
  columns: readonly Column<StatementRow>[];
  /** Of the statement's other rows. */
  decimals: Decimals;
}

/** The single calls of an expanded day, as rows of the statement. */
export function DayCalls({ billing, row, columns, decimals: least }: DayCallsProps) {
  const calls = useDayCalls(billing, row);
  const lines = calls.data?.pages.flatMap((page) => page.lines) ?? [];
  const rows = lines.map((line) => ({ ...line, type: 'call' as const }));
  const decimals = columnDecimals(columns, rows, least);
  const { isFetching, isError, hasNextPage } = calls;
  return (
    <>
      {rows.map((each) => (
        <DataTableRow key={each.id} row={each} columns={columns} decimals={decimals} className="bg-sunken" />
      ))}
      {(isFetching || isError || hasNextPage) && (
        <Tr className="bg-sunken">
          <Td colSpan={columns.length}>
            <div className="flex w-full flex-wrap items-center justify-between gap-3 text-sm">
              <p role="status" className={isError ? 'text-danger' : 'text-muted'}>
                {isError ? problemText(calls.error) : isFetching ? 'Loading calls…' : null}
              </p>
              {(isError || hasNextPage) && (
                <Button
                  size="sm"
                  busy={isFetching}
                  onClick={() => (lines.length === 0 ? calls.refetch() : calls.fetchNextPage())}
                >
                  {isError ? 'Try again' : 'More calls of this day'}
                </Button>
              )}
            </div>
          </Td>
        </Tr>
      )}
    </>
  );
}
