import type { UsageReport } from '@/server/usage/schema';
import type { Bucket } from '../ui/chart/stacked-bars';
import { formatTime, formatUtcDay, formatUtcMonth, formatUtcWeekday } from '../ui/time-format';

type Unit = UsageReport['unit'];

/**
 * Labels for the buckets of a report. Hours are in the reader's zone; days and longer are in UTC,
 * as counted.
 */
export function formatBuckets(times: readonly { at: string }[], unit: Unit, zone: string): Bucket[] {
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

function formatShort(at: string, unit: Unit, zone: string): string {
  const moment = new Date(at);
  if (unit === 'hour') return formatTime(moment, 'clock', zone).slice(0, '14:03'.length);
  if (unit === 'month') return `${formatUtcMonth(moment)} ${moment.getUTCFullYear()}`;
  return formatUtcDay(moment);
}

function formatLong(at: string, unit: Unit, zone: string): string {
  const moment = new Date(at);
  if (unit === 'hour') return formatTime(moment, 'weekday', zone);
  if (unit === 'month') return formatShort(at, unit, zone);
  const date = formatUtcWeekday(moment);
  return unit === 'week' ? `Week from ${date}` : date;
}
