import type { UsageFilter, UsageReport } from './schema';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Days of a period, including today. */
const DAYS = { '7d': 7, '30d': 30, '90d': 90 } as const;
const DAY_BUCKETS = 24;
/** Longer spans use the next coarser unit, so that charts stay readable. */
const LONGEST = { hour: 2 * DAY_MS, day: 100 * DAY_MS, week: 2 * 366 * DAY_MS };

export type Unit = UsageReport['unit'];

/** Half-open interval on whole hours, the resolution of the rollups. */
export interface Span {
  from: Date;
  to: Date;
}

export interface ReportSpan extends Span {
  unit: Unit;
  /**
   * The preceding span of the same length (for the month to date, the start of the previous month);
   * null if there is none.
   */
  before: Span | null;
}

/**
 * Resolves the days or the period of a filter. Days are UTC and inclusive.
 * @param first when the usage of the account starts; null if it has none
 */
export function resolvePeriod(
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
    return withPreviousSpan(Math.min(from, to), to, fromDay === null);
  }
  const period = filter.period ?? '30d';
  const today = Math.floor(now.getTime() / DAY_MS) * DAY_MS;
  if (period === 'all') return withPreviousSpan(Math.min(first?.getTime() ?? today, today), end, true);
  if (period === 'mtd') return monthToDate(now, end);
  if (period === 'yesterday') return withPreviousSpan(today - DAY_MS, today, false);
  const from = period === '24h' ? end - DAY_BUCKETS * HOUR_MS : today - (DAYS[period] - 1) * DAY_MS;
  return withPreviousSpan(from, end, false);
}

function monthToDate(now: Date, end: number): ReportSpan {
  const from = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1);
  const start = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 1);
  const span = withPreviousSpan(from, end, true);
  return { ...span, before: { from: new Date(start), to: new Date(Math.min(start + (end - from), from)) } };
}

function withPreviousSpan(from: number, to: number, alone: boolean): ReportSpan {
  return {
    from: new Date(from),
    to: new Date(to),
    unit: chooseUnit(to - from),
    before: alone ? null : { from: new Date(from - (to - from)), to: new Date(from) },
  };
}

function chooseUnit(length: number): Unit {
  if (length <= LONGEST.hour) return 'hour';
  if (length <= LONGEST.day) return 'day';
  return length <= LONGEST.week ? 'week' : 'month';
}

/**
 * Start times of all buckets of a span, empty ones included, so that charts have no gaps. Weeks
 * start on Monday.
 */
export function listBuckets({ from, to }: Span, unit: Unit): number[] {
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
