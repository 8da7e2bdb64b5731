'use client';

import { useId } from 'react';
import { cn } from '../ui/cn';

interface SegmentedProps<T extends string> {
  /** What is chosen here: "Period". */
  legend: string;
  value: T;
  options: readonly { value: T; label: string }[];
  onValueChange: (value: T) => void;
  className?: string;
}

/** One of a few, at once: radio buttons in a row, moved through with the arrow keys. */
export function Segmented<T extends string>({
  legend,
  value,
  options,
  onValueChange,
  className,
}: SegmentedProps<T>) {
  const name = useId();
  return (
    <fieldset className={cn('inline-flex rounded-md border bg-sunken p-0.5', className)}>
      <legend className="sr-only">{legend}</legend>
      {options.map((option) => (
        <label
          key={option.value}
          className="relative flex h-7 cursor-pointer items-center whitespace-nowrap rounded-sm px-2.5 font-medium text-muted text-sm hover:text-ink has-checked:bg-raised has-checked:text-ink has-checked:ring-1 has-checked:ring-line has-focus-visible:outline-2 has-focus-visible:outline-accent"
        >
          <input
            type="radio"
            name={name}
            value={option.value}
            checked={value === option.value}
            onChange={() => onValueChange(option.value)}
            className="absolute inset-0 cursor-pointer appearance-none opacity-0"
          />
          {option.label}
        </label>
      ))}
    </fieldset>
  );
}
