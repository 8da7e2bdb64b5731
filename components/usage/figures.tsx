import Link from 'next/link';
import type { UsageFilter, UsageReport } from '@/server/usage/schema';
import { type Change, percentChange, pointsChange } from '../shared/change';
import { Delta } from '../shared/delta';
import { formatCount, formatDuration, formatShare, hasRate } from '../shared/format';
import { formatNumber } from '../ui/format-number';
import { Money } from '../ui/money';
import { Stat } from '../ui/stat';
import { errorsHref, periodWords, previousPeriodWords, sentence } from './view';

interface FiguresProps {
  report: UsageReport;
  filter: UsageFilter;
}

/** Keeps the height of a figure without a note. */
const NO_NOTE = ' ';

/** The totals of a period, each compared with the previous period. */
export function Figures({ report, filter }: FiguresProps) {
  const { totals, before } = report;
  const rate = (each: typeof totals | null) =>
    each && hasRate(each.calls) ? 1 - each.failed / each.calls : null;
  const spend = percentChange(totals.cost_usd, before?.cost_usd);
  const calls = percentChange(totals.calls, before?.calls);
  const success = pointsChange(rate(totals), rate(before));
  const time =
    totals.avg_latency_ms === null
      ? null
      : percentChange(totals.avg_latency_ms, before?.avg_latency_ms ?? undefined);
  const period = previousPeriodWords(filter, report);
  const compare = (change: Change | null, good?: 'up' | 'down') =>
    change && <Delta change={change} period={period} good={good} />;
  return (
    <div className="flex flex-col gap-3">
      <dl className="grid grid-cols-2 gap-x-6 gap-y-4 sm:grid-cols-3 lg:grid-cols-5">
        <Stat
          label="Spend"
          value={<Money usd={totals.cost_usd} headline />}
          note={compare(spend) ?? NO_NOTE}
          className="max-lg:col-span-2 max-sm:col-span-2"
        />
        <Stat label="Calls" value={formatNumber(totals.calls)} note={compare(calls, 'up') ?? NO_NOTE} />
        {/* Filtered by status, success rate is meaningless and the sums have no separate durations. */}
        {!filter.status && (
          <>
            <Stat
              label="Success rate"
              value={hasRate(totals.calls) ? formatShare(totals.calls - totals.failed, totals.calls) : '—'}
              note={
                totals.failed > 0 ? (
                  <>
                    <Link href={errorsHref(filter)} className="link">
                      {formatCount(totals.failed, 'failed', 'failed')}
                    </Link>
                    {success && <> · {compare(success, 'up')}</>}
                  </>
                ) : (
                  (compare(success, 'up') ?? NO_NOTE)
                )
              }
            />
            <Stat
              label="BYOK calls"
              value={formatNumber(totals.byok_calls ?? 0)}
              note={share(totals.byok_calls ?? 0, totals.calls)}
            />
            <Stat
              label="Average duration"
              value={totals.avg_latency_ms === null ? '—' : formatDuration(totals.avg_latency_ms)}
              note={compare(time, 'down') ?? NO_NOTE}
            />
          </>
        )}
      </dl>
      <p className="text-muted text-sm">
        {sentence(periodWords(filter))}. Calls are counted by their end time, in UTC. Failed ones include
        those with invalid input.
      </p>
    </div>
  );
}

function share(part: number, whole: number): string {
  return part === 0 || whole === 0 ? NO_NOTE : `${formatShare(part, whole)} of calls`;
}
