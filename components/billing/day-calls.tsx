'use client';

import type { CallsRow } from '@/server/money/billing/schema';
import { problemText } from '../shared/problem';
import { Button } from '../ui/button';
import { type Column, DataTableRow } from '../ui/data-table';
import { Td, Tr } from '../ui/table';
import { type Billing, useDayCalls } from './queries';
import type { StatementRow } from './statement-table';

interface DayCallsProps {
  billing: Billing;
  row: CallsRow;
  columns: readonly Column<StatementRow>[];
}

/** The single calls of an expanded day, as rows of the statement. */
export function DayCalls({ billing, row, columns }: DayCallsProps) {
  const calls = useDayCalls(billing, row);
  const lines = calls.data?.pages.flatMap((page) => page.lines) ?? [];
  const { isFetching, isError, hasNextPage } = calls;
  return (
    <>
      {lines.map((line) => (
        <DataTableRow
          key={line.id}
          row={{ ...line, type: 'call' as const }}
          columns={columns}
          className="bg-sunken"
        />
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
