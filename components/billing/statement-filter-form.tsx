'use client';

import { cn } from '../ui/cn';
import { DayFilter, SelectFilter } from '../ui/filter';
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
  const backwards = from !== undefined && to !== undefined && from > to;

  function set(name: keyof StatementFilters, value: string | null) {
    const next: Record<string, string | null | undefined> = { ...filters, [name]: value };
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
        onChange={(value) => set('kind', value)}
      />
      <DayFilter label="From" value={from} max={to} onChange={(day) => set('from', day)} />
      <DayFilter label="To" value={to} min={from} onChange={(day) => set('to', day)} />
      <p
        role="status"
        className={cn('max-sm:col-span-2 sm:py-2', backwards ? 'text-danger' : 'text-muted', 'text-sm')}
      >
        {backwards ? 'The start date is after the end date.' : 'Dates in UTC'}
      </p>
    </TableTools>
  );
}
