'use client';

import { useState } from 'react';
import { cn } from '../ui/cn';
import { Star } from '../ui/icons';

const WORDS = ['', 'Does not work', 'Poor', 'Fair', 'Good', 'Excellent'] as const;
const STARS = [1, 2, 3, 4, 5] as const;

interface StarInputProps {
  /** What is being rated. */
  legend: string;
  /** The name of the radio group; unique on the page. */
  name: string;
  /** 0 for no rating yet. */
  value: number;
  onChange: (stars: number) => void;
  className?: string;
}

/** One to five stars as radio buttons, operated with the arrow keys. */
export function StarInput({ legend, name, value, onChange, className }: StarInputProps) {
  const [over, setOver] = useState(0);
  const lit = over || value;
  return (
    <div className={cn('flex items-center gap-3', className)}>
      <fieldset className="inline-flex" onPointerLeave={() => setOver(0)}>
        <legend className="sr-only">{legend}</legend>
        {STARS.map((star) => (
          <label
            key={star}
            onPointerEnter={() => setOver(star)}
            className="relative flex size-8 cursor-pointer items-center justify-center rounded-sm has-focus-visible:outline-2 has-focus-visible:outline-accent"
          >
            <input
              type="radio"
              name={name}
              value={star}
              checked={value === star}
              onChange={() => onChange(star)}
              className="absolute inset-0 cursor-pointer appearance-none opacity-0"
            />
            <Star
              aria-hidden
              className={cn('size-6', star <= lit ? 'fill-current text-ink' : 'text-line-strong')}
            />
            <span className="sr-only">
              {star} {star === 1 ? 'star' : 'stars'}: {WORDS[star]}
            </span>
          </label>
        ))}
      </fieldset>
      <span aria-hidden className="text-muted text-sm">
        {WORDS[lit]}
      </span>
    </div>
  );
}
