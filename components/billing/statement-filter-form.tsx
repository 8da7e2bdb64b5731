'use client';

import { type ReactElement, useEffect, useId, useRef } from 'react';
import { Button } from '../ui/button';
import { cn } from '../ui/cn';
import { Label } from '../ui/field';
import { Input } from '../ui/input';
import { Select } from '../ui/select';
import { KIND_WORDS, readFilters, type StatementFilters } from './statement-filters';

interface StatementFilterFormProps {
  filters: StatementFilters;
  onChange: (filters: StatementFilters) => void;
  onClear: () => void;
}

/** Which movements: kind and days, at once and without a button. */
export function StatementFilterForm({ filters, onChange, onClear }: StatementFilterFormProps) {
  const { from, to, kind } = filters;
  const none = !from && !to && !kind;
  const backwards = from !== undefined && to !== undefined && from > to;

  function set(name: keyof StatementFilters, value: string) {
    const next: Record<string, string | undefined> = { ...filters, [name]: value };
    onChange(readFilters((each) => next[each] ?? null));
  }

  return (
    <search className="grid grid-cols-2 gap-3 border-b px-4 py-3 sm:flex sm:flex-wrap sm:items-end sm:px-5">
      <Filter label="Kind" className="max-sm:col-span-2 sm:w-40">
        {(id) => (
          <Select id={id} value={kind ?? ''} onChange={(event) => set('kind', event.target.value)}>
            <option value="">All kinds</option>
            {Object.entries(KIND_WORDS).map(([value, word]) => (
              <option key={value} value={value}>
                {word}
              </option>
            ))}
          </Select>
        )}
      </Filter>
      <Filter label="From" className="sm:w-40">
        {(id) => <DayInput id={id} value={from} max={to} onChange={(day) => set('from', day)} />}
      </Filter>
      <Filter label="To" className="sm:w-40">
        {(id) => <DayInput id={id} value={to} min={from} onChange={(day) => set('to', day)} />}
      </Filter>
      <p
        role="status"
        className={cn('max-sm:col-span-2 sm:py-2', backwards ? 'text-danger' : 'text-muted', 'text-sm')}
      >
        {backwards ? 'The first day is after the last one.' : 'Days in UTC'}
      </p>
      {!none && (
        <Button variant="ghost" className="max-sm:col-span-2 sm:ml-auto" onClick={onClear}>
          Clear filters
        </Button>
      )}
    </search>
  );
}

interface FilterProps {
  label: string;
  className?: string;
  children: (id: string) => ReactElement;
}

function Filter({ label, className, children }: FilterProps) {
  const id = useId();
  return (
    <div className={cn('flex min-w-0 flex-col gap-1', className)}>
      <Label htmlFor={id} className="font-normal text-muted">
        {label}
      </Label>
      {children(id)}
    </div>
  );
}

interface DayInputProps {
  id: string;
  value: string | undefined;
  min?: string | undefined;
  max?: string | undefined;
  onChange: (day: string) => void;
}

/** Keeps what is being typed: a day that is half written has no value yet. */
function DayInput({ id, value, min, max, onChange }: DayInputProps) {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const typing = input.current === document.activeElement;
    if (input.current && !typing) input.current.value = value ?? '';
  }, [value]);
  return (
    <Input
      id={id}
      type="date"
      ref={input}
      defaultValue={value}
      min={min}
      max={max}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}
