'use client';

import { type ReactElement, useId } from 'react';
import { cn } from './cn';
import { Label } from './field';
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
