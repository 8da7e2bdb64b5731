import { MAX_FILTER_LENGTH, MAX_REQUEST_ID } from '@/server/usage/limits';
import type { UsageFilter, UsageReport } from '@/server/usage/schema';
import { formatRange, readDay } from '../ui/calendar/days';

export type ReportPeriod = NonNullable<UsageFilter['period']>;

/** The tabs: their labels, and their wording in a sentence. */
export const PERIODS = [
  { value: '24h', label: '24 h', words: 'last 24 hours' },
  { value: 'yesterday', label: 'Yesterday', words: 'yesterday' },
  { value: '7d', label: '7 d', words: 'last 7 days' },
  { value: '30d', label: '30 d', words: 'last 30 days' },
  { value: '90d', label: '90 d', words: 'last 90 days' },
  { value: 'mtd', label: 'Month', words: 'this month so far' },
  { value: 'all', label: 'All', words: 'all time' },
] as const satisfies readonly { value: ReportPeriod; label: string; words: string }[];

const DAY_MS = 86_400_000;

export const DEFAULT_PERIOD: ReportPeriod = '30d';

/** Page size of the list of calls. */
export const CALLS_PAGE = 25;

/** The URL parameters, and the filter fields they set. */
const TEXTS = {
  billing: 'billing',
  key: 'key_id',
  tool: 'tool',
  member: 'member',
  tag: 'tag',
  request: 'request_id',
  id: 'call_id',
  error: 'error_code',
} as const;

/** Reads the filter from a URL and drops invalid values. */
export function readView(get: (name: string) => string | null): UsageFilter {
  const filter: UsageFilter = {};
  for (const [name, field] of Object.entries(TEXTS) as [
    keyof typeof TEXTS,
    (typeof TEXTS)[keyof typeof TEXTS],
  ][]) {
    const text = get(name);
    const most = field === 'request_id' ? MAX_REQUEST_ID : MAX_FILTER_LENGTH;
    if (text && text.length <= most && !text.includes('\0')) filter[field] = text;
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

/** The URL of the CSV with the calls of a filter, or with those that were refused. */
export function csvHref(filter: UsageFilter, file: 'calls' | 'refused' = 'calls'): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(filter)) if (typeof value === 'string') query.set(name, value);
  return `/dashboard/usage/${file}.csv?${query}`;
}

/** "last 30 days", "1 Nov 2026 – 20 Nov 2026". */
export function periodWords({ period, from, to }: UsageFilter): string {
  const days = formatRange({ from, to });
  if (days) return days;
  return (PERIODS.find(({ value }) => value === period) ?? PERIODS[3]).words;
}

/** "previous 30 days": what a report compares its totals with. */
export function previousPeriodWords(
  { period, from, to }: UsageFilter,
  report: Pick<UsageReport, 'from' | 'to'>,
) {
  if (!from && !to) {
    if (period === '24h') return 'previous 24 hours';
    if (period === 'mtd') return 'same days of last month';
  }
  const days = Math.ceil((Date.parse(report.to) - Date.parse(report.from)) / DAY_MS);
  return days === 1 ? 'previous day' : `previous ${days} days`;
}

/** Whether any filter other than time and account is set. */
export function isNarrowed({ key_id, tool, status, member, tag, ...ids }: UsageFilter): boolean {
  const { request_id, call_id, error_code } = ids;
  return [key_id, tool, status, member, tag, request_id, call_id, error_code].some(
    (value) => value !== undefined,
  );
}

/** The filter of sums, which are not kept by id and error code. */
export function toReportFilter({ request_id: _, call_id: __, error_code: ___, ...filter }: UsageFilter) {
  return filter;
}

/** How many calls the list has, if the sums of its filter know it; else null. */
export function countListed(report: UsageReport, filter: UsageFilter): number | null {
  const hasSums = !filter.request_id && !filter.call_id && !filter.error_code;
  return hasSums && report.calls_kept_from === null ? report.totals.calls : null;
}

/** The filter of the errors page, which has failed calls only, of any id. */
export function toErrorsFilter({ request_id: _, call_id: __, ...filter }: UsageFilter): UsageFilter {
  return { ...filter, status: 'error' };
}

/** The errors page with what a filter of it has in common with that of other pages. */
export function errorsHref(filter: UsageFilter): string {
  const { status: _, ...errors } = toErrorsFilter(filter);
  return `/dashboard/usage/errors${writeView(errors)}`;
}

/** The filter of the page of refused calls, which have no status and no id. */
export function toRefusalsFilter({ status: _, ...filter }: UsageFilter): UsageFilter {
  const { request_id: __, call_id: ___, ...refusals } = filter;
  return refusals;
}

/** The page of refused calls with what a filter of it has in common with that of other pages. */
export function refusalsHref(filter: UsageFilter): string {
  return `/dashboard/usage/refused${writeView(toRefusalsFilter(filter))}`;
}

/** The words as the beginning of a sentence. */
export function sentence(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}
