'use client';

import { useState } from 'react';
import { cn } from './cn';
import { Clock } from './icons';
import { formatLogTime, formatRelative, formatTime, nameZone } from './time-format';
import { useTimes } from './time-provider';

interface DateTimeProps {
  /** ISO 8601. */
  at: string;
  /**
   * `log` (default) for lists, which name the zone, `log-minute` without seconds; `age` where the
   * distance is the point, such as "last used"; `exact` for details; `second` for details that are
   * compared with logs.
   */
  format?: 'log' | 'log-minute' | 'age' | 'exact' | 'second' | 'date';
  className?: string;
}

/** A time in the chosen zone; on hover to the second, and how long ago. */
export function DateTime({ at, format = 'log', className }: DateTimeProps) {
  const { zone } = useTimes();
  // Written when wanted: a page has many times, and few are pointed at.
  const [title, setTitle] = useState<string>();
  const moment = new Date(at);
  if (Number.isNaN(moment.getTime())) return null;
  const age = () => formatRelative(moment.getTime() - Date.now());
  return (
    <time
      dateTime={at}
      title={title}
      onPointerEnter={() => setTitle(`${formatTime(moment, 'second', zone)}, ${age()}`)}
      // Time passes between the two renders.
      suppressHydrationWarning
      className={cn('whitespace-nowrap tabular-nums', className)}
    >
      {format === 'age'
        ? age()
        : format === 'log' || format === 'log-minute'
          ? formatLogTime(moment, zone, new Date(), format === 'log-minute')
          : formatTime(moment, format === 'exact' ? 'minute' : format, zone)}
    </time>
  );
}

/** Names the zone of a list, and switches all times between UTC and the reader's own zone. */
export function ZoneSwitch({ className }: { className?: string }) {
  const { zone, switchZone } = useTimes();
  const words = zone === 'UTC' ? 'show times in your own zone' : 'show times in UTC';
  return (
    <button
      type="button"
      title={`Times in ${nameZone(zone)}: ${words}`}
      aria-label={`${nameZone(zone)}: ${words}`}
      onClick={switchZone}
      className={cn(
        'inline-flex min-h-6 min-w-6 items-center justify-center gap-1 rounded-sm font-normal text-muted text-xs hover:text-ink',
        className,
      )}
    >
      <Clock aria-hidden className="size-3.5" />
      {nameZone(zone)}
    </button>
  );
}
