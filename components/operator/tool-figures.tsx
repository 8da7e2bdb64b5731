import { formatDuration, formatShare, hasRate } from '../shared/format';
import type { Column } from '../ui/data-table';
import { DateTime } from '../ui/date-time';
import { formatNumber } from '../ui/format-number';
import { Money } from '../ui/money';

/** Health figures of a tool or a skill. */
interface Health {
  calls: number;
  failed: number;
  revenue_usd: number;
  p50_ms: number | null;
  p99_ms: number | null;
  last_error_at: string | null;
}

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
      numeric: true,
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
      title: 'Tool failures',
      numeric: true,
      phone: 'aside',
      cell: ({ calls, failed }) =>
        calls === 0 ? (
          NONE
        ) : (
          <span>
            {hasRate(calls)
              ? formatShare(failed, calls)
              : `${formatNumber(failed)} of ${formatNumber(calls)}`}
            <OnPhone> tool failures</OnPhone>
          </span>
        ),
    },
    {
      id: 'times',
      title: 'Median, p99',
      numeric: true,
      phone: 'none',
      cell: ({ p50_ms, p99_ms }) =>
        p50_ms === null || p99_ms === null ? NONE : `${formatDuration(p50_ms)}, ${formatDuration(p99_ms)}`,
    },
    {
      id: 'error',
      title: 'Last error',
      time: true,
      phone: 'none',
      className: 'text-muted',
      cell: ({ last_error_at }) => (last_error_at ? <DateTime at={last_error_at} /> : NONE),
    },
    {
      id: 'revenue',
      title: 'Revenue',
      numeric: true,
      cell: ({ revenue_usd }) => <Money usd={revenue_usd} />,
    },
  ];
}
