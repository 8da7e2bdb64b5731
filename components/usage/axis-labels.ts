'use client';

import { useSyncExternalStore } from 'react';
import type { UsageReport } from '@/server/usage/schema';
import type { Bucket } from '../ui/chart/stacked-bars';

type Unit = UsageReport['unit'];

const never = () => () => {};

/** The reader's time zone; UTC on the server and until hydration, so that both renders match. */
export function useZone(): string | undefined {
  return useSyncExternalStore(
    never,
    () => undefined,
    () => 'UTC',
  );
}

/**
 * Labels for the buckets of a report. Hours are in the reader's zone; days and longer are in UTC,
 * as counted.
 */
export function formatBuckets(times: UsageReport['by_time'], unit: Unit, zone: string | undefined): Bucket[] {
  return times.map(({ at }) => ({
    id: at,
    short: formatShort(at, unit, zone),
    long: formatLong(at, unit, zone),
  }));
}

export const UNIT_WORDS: Record<Unit, string> = {
  hour: 'Hour',
  day: 'Day (UTC)',
  week: 'Week from (UTC)',
  month: 'Month (UTC)',
};

function formatShort(at: string, unit: Unit, zone: string | undefined): string {
  const moment = new Date(at);
  if (unit === 'hour')
    return moment.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit', timeZone: zone });
  if (unit === 'month')
    return moment.toLocaleDateString('en-GB', { month: 'short', year: 'numeric', timeZone: 'UTC' });
  return moment.toLocaleDateString('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });
}

function formatLong(at: string, unit: Unit, zone: string | undefined): string {
  const moment = new Date(at);
  const day = { weekday: 'short', day: 'numeric', month: 'short' } as const;
  if (unit === 'hour')
    return `${moment.toLocaleDateString('en-GB', { ...day, timeZone: zone })}, ${formatShort(at, unit, zone)}`;
  if (unit === 'month') return formatShort(at, unit, zone);
  const date = moment.toLocaleDateString('en-GB', { ...day, timeZone: 'UTC' });
  return unit === 'week' ? `Week from ${date}` : date;
}
