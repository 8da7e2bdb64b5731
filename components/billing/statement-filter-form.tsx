'use client';

import { DateRangeFilter } from '../ui/date-range-filter';
import { SelectFilter } from '../ui/filter';
import { TableTools } from '../ui/table-tools';
import { KIND_WORDS, readFilters, type StatementFilters } from './statement-filters';

interface StatementFilterFormProps {
  filters: StatementFilters;
  onChange: (filters: StatementFilters) => void;
  onClear: () => void;
}

const KINDS = Object.entries(KIND_WORDS).map(([value, label]) => ({ value, label }));

/** Filters by kind and days. Changes take effect at once, without a button. */
export function StatementFilterForm({ filters, onChange, onClear }: StatementFilterFormProps) {
  const { from, to, kind } = filters;
  const some = from || to || kind;

  function change(changes: { [Name in keyof StatementFilters]: string | null | undefined }) {
    const next: Record<string, string | null | undefined> = { ...filters, ...changes };
    onChange(readFilters((each) => next[each] ?? null));
  }

  return (
    <TableTools onClear={some ? onClear : undefined}>
      <SelectFilter
        label="Kind"
        all="All kinds"
        className="max-sm:col-span-2"
        value={kind ?? null}
        options={KINDS}
        onChange={(kind) => change({ kind })}
      />
      <DateRangeFilter
        label="Dates (UTC)"
        all="Any time"
        className="max-sm:col-span-2 sm:w-60"
        value={{ from, to }}
        onChange={change}
      />
    </TableTools>
  );
}
