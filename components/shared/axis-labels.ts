import type { UsageReport } from '@/server/usage/schema';
import type { Bucket } from '../ui/chart/stacked-bars';
import { formatTime, formatUtcDay, formatUtcMonth, formatUtcWeekday, nameZone } from '../ui/time-format';

type Unit = UsageReport['unit'];

/** Labels for the buckets of a report. Hours are in the given zone; days are counted in UTC. */
export function formatBuckets(times: readonly { at: string }[], unit: Unit, zone: string): Bucket[] {
  return times.map(({ at }) => ({
    id: at,
    short: formatShort(at, unit, zone),
    long: formatLong(at, unit, zone),
  }));
}

/** What the axis of the buckets shows: `Hours, Berlin time`, `Days, UTC`. */
export function nameAxis(unit: Unit, zone: string): string {
  return `${UNIT_WORDS[unit]}, ${unit === 'hour' ? nameZone(zone) : 'UTC'}`;
}

const UNIT_WORDS: Record<Unit, string> = { hour: 'Hours', day: 'Days', week: 'Weeks', month: 'Months' };

function formatShort(at: string, unit: Unit, zone: string): string {
  const moment = new Date(at);
  if (unit === 'hour') return formatTime(moment, 'clock', zone).slice(0, '14:03'.length);
  if (unit === 'month') return `${formatUtcMonth(moment)} ${moment.getUTCFullYear()}`;
  return formatUtcDay(moment);
}

function formatLong(at: string, unit: Unit, zone: string): string {
  const moment = new Date(at);
  if (unit === 'hour') return `${formatTime(moment, 'weekday', zone)}, ${nameZone(zone)}`;
  if (unit === 'month') return `${formatShort(at, unit, zone)}, UTC`;
  const date = formatUtcWeekday(moment);
  return unit === 'week' ? `Week from ${date}, UTC` : `${date}, UTC`;
}
