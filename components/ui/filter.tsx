'use client';

import { type ReactElement, useEffect, useId, useRef } from 'react';
import { cn } from './cn';
import { Label } from './field';
import { Input } from './input';
import { Select } from './select';

interface FilterProps {
  label: string;
  className?: string | undefined;
  children: (id: string) => ReactElement;
}

/** A labelled filter of a table that takes effect at once. */
export function Filter({ label, className, children }: FilterProps) {
  const id = useId();
  return (
    <div className={cn('flex min-w-0 flex-col gap-1 sm:w-36', className)}>
      <Label htmlFor={id} className="font-normal text-muted">
        {label}
      </Label>
      {children(id)}
    </div>
  );
}

interface SelectFilterProps {
  label: string;
  /** Null for no filter. */
  value: string | null;
  options: readonly { value: string; label: string }[];
  /** The label of the option for no filter: "All tools". */
  all: string;
  onChange: (value: string | null) => void;
  className?: string;
}

export function SelectFilter({ label, value, options, all, onChange, className }: SelectFilterProps) {
  const known = value === null || options.some((option) => option.value === value);
  return (
    <Filter label={label} className={className}>
      {(id) => (
        <Select id={id} value={value ?? ''} onChange={(event) => onChange(event.target.value || null)}>
          <option value="">{all}</option>
          {/* A link may filter by a value that is not in the list. */}
          {!known && <option value={value}>{value}</option>}
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </Select>
      )}
    </Filter>
  );
}

interface DayFilterProps {
  label: string;
  /** `2026-01-31`. */
  value: string | undefined;
  min?: string | undefined;
  max?: string | undefined;
  onChange: (day: string) => void;
}

export function DayFilter({ label, ...rest }: DayFilterProps) {
  return <Filter label={label}>{(id) => <DayInput id={id} {...rest} />}</Filter>;
}

/** Keeps partial input: an incomplete date has no value yet. */
function DayInput({ id, value, min, max, onChange }: Omit<DayFilterProps, 'label'> & { id: string }) {
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
