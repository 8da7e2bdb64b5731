import type { UsageReport } from '@/server/usage/schema';
import type { Bucket } from '../ui/chart/stacked-bars';
import { formatTime, formatUtcDay, formatUtcMonth, formatUtcWeekday } from '../ui/time-format';

type Unit = UsageReport['unit'];

/** Labels for the buckets of a report, in UTC, as they are counted. */
export function formatBuckets(times: readonly { at: string }[], unit: Unit): Bucket[] {
  return times.map(({ at }) => ({ id: at, short: formatShort(at, unit), long: formatLong(at, unit) }));
}

export const UNIT_WORDS: Record<Unit, string> = {
  hour: 'Hour (UTC)',
  day: 'Day (UTC)',
  week: 'Week from (UTC)',
  month: 'Month (UTC)',
};

function formatShort(at: string, unit: Unit): string {
  const moment = new Date(at);
  if (unit === 'hour') return formatTime(moment, 'clock', 'UTC').slice(0, '14:03'.length);
  if (unit === 'month') return `${formatUtcMonth(moment)} ${moment.getUTCFullYear()}`;
  return formatUtcDay(moment);
}

function formatLong(at: string, unit: Unit): string {
  const moment = new Date(at);
  if (unit === 'hour') return `${formatTime(moment, 'weekday', 'UTC')} UTC`;
  if (unit === 'month') return formatShort(at, unit);
  const date = formatUtcWeekday(moment);
  return unit === 'week' ? `Week from ${date}` : date;
}
