'use client';

import { useId, useState } from 'react';
import { cn } from '../ui/cn';

interface SegmentedProps<T extends string> {
  /** The accessible name: "Period". */
  legend: string;
  value: T;
  options: readonly { value: T; label: string }[];
  onValueChange: (value: T) => void;
  /** The form field that gets the value. */
  name?: string;
  className?: string;
}

/** A choice of a few options that takes effect at once: a row of radio buttons. */
export function Segmented<T extends string>({
  legend,
  value,
  options,
  onValueChange,
  name,
  className,
}: SegmentedProps<T>) {
  const group = useId();
  // The URL updates after a delay: until then, show the option that was pressed.
  const [pressed, setPressed] = useState<{ on: T; at: T } | null>(null);
  if (pressed && pressed.at !== value) setPressed(null);
  const shown = pressed?.at === value ? pressed.on : value;
  return (
    <fieldset className={cn('inline-flex rounded-md border bg-sunken p-0.5', className)}>
      <legend className="sr-only">{legend}</legend>
      {options.map((option) => (
        <label
          key={option.label}
          className="relative flex h-7.5 cursor-pointer items-center whitespace-nowrap rounded-sm px-2.5 font-medium text-muted text-sm hover:text-ink has-checked:bg-raised has-checked:text-ink has-checked:ring-1 has-checked:ring-line has-focus-visible:outline-2 has-focus-visible:outline-accent"
        >
          <input
            type="radio"
            name={name ?? group}
            value={option.value}
            checked={shown === option.value}
            onChange={() => {
              setPressed({ on: option.value, at: value });
              onValueChange(option.value);
            }}
            className="absolute inset-0 cursor-pointer appearance-none opacity-0"
          />
          {option.label}
        </label>
      ))}
    </fieldset>
  );
}
