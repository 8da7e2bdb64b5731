'use client';

import { useSyncExternalStore } from 'react';
import { cn } from './cn';

interface DateTimeProps {
  /** ISO 8601. */
  at: string;
  /** `relative` (default) for lists, `exact` for statements and details. */
  format?: 'relative' | 'exact' | 'date';
  className?: string;
}

/**
 * A time in the viewer's time zone, exact on hover. The server and the first render use UTC, so
 * that hydration matches; relative times are the same in every zone and are rendered at once.
 */
export function DateTime({ at, format = 'relative', className }: DateTimeProps) {
  const now = useSyncExternalStore(subscribe, currentMinute, () => null);
  const moment = new Date(at);
  if (Number.isNaN(moment.getTime())) return null;
  const zone = now === null ? 'UTC' : undefined;
  const exact = formatExact(moment, zone);
  const text =
    format === 'exact'
      ? exact
      : format === 'date'
        ? formatDate(moment, zone)
        : formatRelative(moment.getTime() - Date.now());
  return (
    <time
      dateTime={at}
      title={exact}
      suppressHydrationWarning
      className={cn('whitespace-nowrap tabular-nums', className)}
    >
      {text}
    </time>
  );
}

const MINUTE_MS = 60_000;
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

/** One timer shared by all instances. */
function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    for (const each of listeners) each();
  }, MINUTE_MS);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) {
      clearInterval(timer);
      timer = undefined;
    }
  };
}

function currentMinute(): number {
  return Math.floor(Date.now() / MINUTE_MS);
}

function formatExact(moment: Date, timeZone?: string): string {
  return moment.toLocaleString('en-GB', {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    timeZoneName: 'short',
    timeZone,
  });
}

function formatDate(moment: Date, timeZone?: string): string {
  return moment.toLocaleDateString('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone });
}

const STEPS: readonly [limitMs: number, unitMs: number, unit: Intl.RelativeTimeFormatUnit][] = [
  [60 * MINUTE_MS, MINUTE_MS, 'minute'],
  [24 * 60 * MINUTE_MS, 60 * MINUTE_MS, 'hour'],
  [30 * 24 * 60 * MINUTE_MS, 24 * 60 * MINUTE_MS, 'day'],
  [365 * 24 * 60 * MINUTE_MS, 30 * 24 * 60 * MINUTE_MS, 'month'],
  [Number.POSITIVE_INFINITY, 365 * 24 * 60 * MINUTE_MS, 'year'],
];
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

/** `in 2 hours`, `3 minutes ago`, `just now`. */
export function formatRelative(deltaMs: number): string {
  const distance = Math.abs(deltaMs);
  if (distance < MINUTE_MS) return deltaMs > 0 ? 'in a moment' : 'just now';
  for (const [limit, unitMs, unit] of STEPS)
    if (distance < limit) return relative.format(Math.trunc(deltaMs / unitMs), unit);
  return '';
}
