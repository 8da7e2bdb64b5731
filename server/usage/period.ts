import type { UsageFilter, UsageReport } from './schema';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** How many whole days, today included, a period of days has. */
const DAYS = { '7d': 7, '30d': 30, '90d': 90 } as const;
const DAY_BUCKETS = 24;
/** Longer spans than these are drawn in the next coarser unit: a chart of more bars cannot be read. */
const LONGEST = { hour: 2 * DAY_MS, day: 100 * DAY_MS, week: 2 * 366 * DAY_MS };

export type Unit = UsageReport['unit'];

/** From an instant on and before another, both on whole hours: exactly what the roll-ups can tell. */
export interface Span {
  from: Date;
  to: Date;
}

export interface ReportSpan extends Span {
  unit: Unit;
  /** As long, right before it (for the month so far: the beginning of the month before); null where there is none. */
  before: Span | null;
}

/**
 * What a filter's days or period mean now. Days are UTC, both included.
 * @param first when the account's usage begins; null where it has none
 */
export function spanOf(
  filter: Pick<UsageFilter, 'period' | 'from' | 'to'>,
  now: Date,
  first: Date | null,
): ReportSpan {
  const end = nextHour(now);
  const fromDay = startOfDay(filter.from);
  const toDay = startOfDay(filter.to);
  if (fromDay !== null || toDay !== null) {
    const to = toDay === null ? end : toDay + DAY_MS;
    const from = fromDay ?? first?.getTime() ?? to;
    return withBefore(Math.min(from, to), to, fromDay === null);
  }
  const period = filter.period ?? '30d';
  const today = Math.floor(now.getTime() / DAY_MS) * DAY_MS;
  if (period === 'all') return withBefore(Math.min(first?.getTime() ?? today, today), end, true);
  if (period === 'mtd') return monthToDate(now, end);
  const from = period === '24h' ? end - DAY_BUCKETS * HOUR_MS : today - (DAYS[period] - 1) * DAY_MS;
  return withBefore(from, end, false);
}

function monthToDate(now: Date, end: number): ReportSpan {
  const from = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1);
  const start = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 1);
  const span = withBefore(from, end, true);
  return { ...span, before: { from: new Date(start), to: new Date(Math.min(start + (end - from), from)) } };
}

function withBefore(from: number, to: number, alone: boolean): ReportSpan {
  return {
    from: new Date(from),
    to: new Date(to),
    unit: unitOf(to - from),
    before: alone ? null : { from: new Date(from - (to - from)), to: new Date(from) },
  };
}

function unitOf(length: number): Unit {
  if (length <= LONGEST.hour) return 'hour';
  if (length <= LONGEST.day) return 'day';
  return length <= LONGEST.week ? 'week' : 'month';
}

/** The first instants of all buckets of a span, those without calls too: a chart has no holes. Weeks begin on Monday. */
export function bucketsOf({ from, to }: Span, unit: Unit): number[] {
  const buckets: number[] = [];
  for (let at = bucketStart(from, unit); at < to.getTime(); at = nextBucket(at, unit)) buckets.push(at);
  return buckets;
}

function bucketStart(at: Date, unit: Unit): number {
  if (unit === 'month') return Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), 1);
  if (unit === 'hour') return Math.floor(at.getTime() / HOUR_MS) * HOUR_MS;
  const day = Math.floor(at.getTime() / DAY_MS) * DAY_MS;
  return unit === 'day' ? day : day - ((at.getUTCDay() + 6) % 7) * DAY_MS;
}

function nextBucket(at: number, unit: Unit): number {
  if (unit === 'month') {
    const date = new Date(at);
    return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1);
  }
  return at + { hour: HOUR_MS, day: DAY_MS, week: 7 * DAY_MS }[unit];
}

function startOfDay(day: string | undefined): number | null {
  return day === undefined ? null : Date.parse(`${day}T00:00:00Z`);
}

function nextHour(now: Date): number {
  return (Math.floor(now.getTime() / HOUR_MS) + 1) * HOUR_MS;
}
