import { MAX_FILTER_LENGTH } from '@/server/usage/limits';
import type { UsageFilter } from '@/server/usage/schema';

export type ReportPeriod = NonNullable<UsageFilter['period']>;

/** The tabs: their labels, and their wording in a sentence. */
export const PERIODS = [
  { value: '24h', label: '24 h', words: 'last 24 hours' },
  { value: '7d', label: '7 d', words: 'last 7 days' },
  { value: '30d', label: '30 d', words: 'last 30 days' },
  { value: '90d', label: '90 d', words: 'last 90 days' },
  { value: 'mtd', label: 'Month', words: 'this month so far' },
  { value: 'all', label: 'All', words: 'all time' },
] as const satisfies readonly { value: ReportPeriod; label: string; words: string }[];

export const DEFAULT_PERIOD: ReportPeriod = '30d';

/** Page size of the list of calls. */
export const CALLS_PAGE = 25;

/** The URL parameters, and the filter fields they set. */
const TEXTS = { billing: 'billing', key: 'key_id', tool: 'tool', member: 'member', tag: 'tag' } as const;
/** The years that a report accepts. */
const DAY = /^2[01]\d{2}-\d{2}-\d{2}$/;

/** Reads the filter from a URL and drops invalid values. */
export function readView(get: (name: string) => string | null): UsageFilter {
  const filter: UsageFilter = {};
  for (const [name, field] of Object.entries(TEXTS) as [
    keyof typeof TEXTS,
    (typeof TEXTS)[keyof typeof TEXTS],
  ][]) {
    const text = get(name);
    if (text && text.length <= MAX_FILTER_LENGTH) filter[field] = text;
  }
  const status = get('status');
  if (status === 'success' || status === 'error') filter.status = status;
  const from = readDay(get('from'));
  const to = readDay(get('to'));
  if (from) filter.from = from;
  if (to) filter.to = to;
  if (!from && !to)
    filter.period = PERIODS.find(({ value }) => value === get('period'))?.value ?? DEFAULT_PERIOD;
  return filter;
}

/** The filter as a query string in a fixed order, so that equal views have equal URLs. */
export function writeView(filter: UsageFilter): string {
  const query = new URLSearchParams();
  for (const [name, field] of Object.entries(TEXTS) as [string, (typeof TEXTS)[keyof typeof TEXTS]][])
    if (filter[field]) query.set(name, filter[field]);
  if (filter.status) query.set('status', filter.status);
  if (filter.from) query.set('from', filter.from);
  if (filter.to) query.set('to', filter.to);
  if (filter.period && filter.period !== DEFAULT_PERIOD) query.set('period', filter.period);
  const text = query.toString();
  return text ? `?${text}` : '';
}

/** The URL of the CSV with the calls of a filter. */
export function csvHref(filter: UsageFilter): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(filter)) if (typeof value === 'string') query.set(name, value);
  return `/dashboard/usage/calls.csv?${query}`;
}

/** "last 30 days", "from 1 Nov 2026 to 20 Nov 2026". */
export function periodWords({ period, from, to }: UsageFilter): string {
  if (from || to) {
    const words = [from && `from ${writeDay(from)}`, to && `to ${writeDay(to)}`];
    return words.filter(Boolean).join(' ');
  }
  return (PERIODS.find(({ value }) => value === period) ?? PERIODS[2]).words;
}

/** Whether any filter other than time and account is set. */
export function isNarrowed({ key_id, tool, status, member, tag }: UsageFilter): boolean {
  return [key_id, tool, status, member, tag].some((value) => value !== undefined);
}

function writeDay(day: string): string {
  const options = { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' } as const;
  return new Date(`${day}T00:00:00Z`).toLocaleDateString('en-GB', options);
}

function readDay(text: string | null): string | null {
  if (text === null || !DAY.test(text)) return null;
  const day = new Date(`${text}T00:00:00Z`);
  // Date turns 31 February into a day of March: reject it.
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text) ? text : null;
}
