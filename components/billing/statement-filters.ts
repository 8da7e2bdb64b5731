import type { StatementLine } from '@/server/money/billing/schema';
import { readDay } from '../ui/calendar/days';

type EntryKind = StatementLine['kind'];

/** Labels of the kinds, in the order of the filter. */
export const KIND_WORDS = {
  call: 'Call',
  purchase: 'Purchase',
  grant: 'Grant',
  claim: 'Claim',
  refund: 'Refund',
  dispute: 'Dispute',
} as const satisfies Record<EntryKind, string>;

/** Page size of the statement. */
export const STATEMENT_PAGE = 30;

/** The filters of the statement. Days are UTC and inclusive. */
export interface StatementFilters {
  from?: string;
  to?: string;
  kind?: EntryKind;
}

/** Reads the filters from a URL and drops invalid values. */
export function readFilters(get: (name: string) => string | null): StatementFilters {
  const filters: StatementFilters = {};
  const from = readDay(get('from'));
  const to = readDay(get('to'));
  const kind = get('kind');
  if (from) filters.from = from;
  if (to) filters.to = to;
  if (kind !== null && isKind(kind)) filters.kind = kind;
  return filters;
}

/** The filters as a query string in a fixed order, so that equal views have equal URLs. */
export function writeFilters(filters: StatementFilters, billing: string | undefined): string {
  const query = new URLSearchParams();
  if (billing) query.set('billing', billing);
  for (const name of ['from', 'to', 'kind'] as const) {
    const value = filters[name];
    if (value) query.set(name, value);
  }
  const text = query.toString();
  return text ? `?${text}` : '';
}

function isKind(text: string): text is EntryKind {
  return Object.hasOwn(KIND_WORDS, text);
}
