import { formatDuration, formatShare, hasRate } from '../shared/format';
import type { Column } from '../ui/data-table';
import { DateTime } from '../ui/date-time';
import { formatNumber } from '../ui/format-number';
import { Money } from '../ui/money';

/** Health figures of a tool or a skill. */
interface Health {
  calls: number;
  /** Without those whose input or provider key was at fault. */
  valid_calls: number;
  failed: number;
  revenue_usd: number;
  p50_ms: number | null;
  p99_ms: number | null;
  last_error_at: string | null;
}

const figure = { numeric: true, descendingFirst: true } as const;
const NONE = <span className="text-muted">—</span>;

/** Shown on a phone only, where a figure has no column title. */
export function OnPhone({ children }: { children: string }) {
  return <span className="text-muted sm:hidden">{children}</span>;
}

/** The health columns, shared by tools and skills. */
export function healthColumns<Row extends Health>(): readonly Column<Row>[] {
  return [
    {
      id: 'calls',
      title: 'Calls',
      ...figure,
      sortBy: ({ calls }) => calls,
      phone: 'figure',
      cell: ({ calls }) => (
        <span>
          {formatNumber(calls)}
          <OnPhone>{calls === 1 ? ' call' : ' calls'}</OnPhone>
        </span>
      ),
    },
    {
      id: 'failed',
      title: 'Success rate',
      numeric: true,
      className: 'whitespace-nowrap',
      sortBy: ({ valid_calls: calls, failed }) => (hasRate(calls) ? (calls - failed) / calls : null),
      phone: 'aside',
      // The same as in the catalogue; few calls have no rate.
      cell: ({ valid_calls: calls, failed }) =>
        calls === 0 ? (
          NONE
        ) : hasRate(calls) ? (
          <span>
            {formatShare(calls - failed, calls)}
            <OnPhone> succeed</OnPhone>
          </span>
        ) : (
          <span>{`${formatNumber(failed)} of ${formatNumber(calls)} failed`}</span>
        ),
    },
    {
      id: 'times',
      title: 'Median, p99',
      ...figure,
      className: 'whitespace-nowrap',
      sortBy: ({ p50_ms }) => p50_ms,
      phone: 'none',
      cell: ({ p50_ms, p99_ms }) =>
        p50_ms === null || p99_ms === null ? NONE : `${formatDuration(p50_ms)}, ${formatDuration(p99_ms)}`,
    },
    {
      id: 'error',
      title: 'Last error',
      time: true,
      descendingFirst: true,
      sortBy: ({ last_error_at }) => last_error_at,
      phone: 'none',
      className: 'text-muted',
      cell: ({ last_error_at }) => (last_error_at ? <DateTime at={last_error_at} /> : NONE),
    },
    {
      id: 'revenue',
      title: 'Revenue',
      ...figure,
      sortBy: ({ revenue_usd }) => revenue_usd,
      usd: ({ revenue_usd }) => revenue_usd,
      cell: ({ revenue_usd }, decimals) => <Money usd={revenue_usd} exact decimals={decimals} />,
    },
  ];
}
