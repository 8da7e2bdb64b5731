'use client';

import { useState } from 'react';
import { cn } from './cn';
import { Clock } from './icons';
import { formatRelative, formatTime } from './time-format';
import { useTimes } from './time-provider';

interface DateTimeProps {
  /** ISO 8601. */
  at: string;
  /**
   * `relative` (default) for lists, where the reader may choose; `exact` for details; `second` for
   * details that are compared with logs.
   */
  format?: 'relative' | 'exact' | 'second' | 'date';
  className?: string;
}

/** A time in the reader's zone, to the second on hover. */
export function DateTime({ at, format = 'relative', className }: DateTimeProps) {
  const { zone, absolute } = useTimes();
  // Written when wanted: a page has many times, and few are pointed at.
  const [title, setTitle] = useState<string>();
  const moment = new Date(at);
  if (Number.isNaN(moment.getTime())) return null;
  const text =
    format === 'date' || format === 'second'
      ? formatTime(moment, format, zone)
      : format === 'exact' || absolute
        ? formatTime(moment, 'minute', zone)
        : formatRelative(moment.getTime() - Date.now());
  return (
    <time
      dateTime={at}
      title={title}
      onPointerEnter={() => setTitle(formatTime(moment, 'second', zone))}
      // Time passes between the two renders.
      suppressHydrationWarning
      className={cn('whitespace-nowrap tabular-nums', className)}
    >
      {text}
    </time>
  );
}

/** Switches all lists between "3 minutes ago" and "25 Oct 2026, 14:03"; remembered in a cookie. */
export function TimeToggle({ label, className }: { label?: boolean; className?: string }) {
  const { absolute, setAbsolute } = useTimes();
  const words = absolute ? 'Show relative times' : 'Show absolute times';
  return (
    <button
      type="button"
      title={label ? undefined : words}
      aria-label={label ? undefined : words}
      onClick={() => setAbsolute(!absolute)}
      className={cn(
        'inline-flex min-h-6 min-w-6 items-center justify-center gap-1.5 rounded-sm text-muted text-xs hover:text-ink',
        className,
      )}
    >
      <Clock aria-hidden className="size-3.5" />
      {label && words}
    </button>
  );
}
