import Link from 'next/link';
import type { UsageFilter, UsageReport } from '@/server/usage/schema';
import { type Change, percentChange, pointsChange } from '../shared/change';
import { Delta } from '../shared/delta';
import { formatDuration, formatShare, hasRate } from '../shared/format';
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
    each && hasRate(each.calls) ? each.failed / each.calls : null;
  const spend = percentChange(totals.cost_usd, before?.cost_usd);
  const calls = percentChange(totals.calls, before?.calls);
  const failed = pointsChange(rate(totals), rate(before));
  const time =
    totals.avg_latency_ms === null
      ? null
      : percentChange(totals.avg_latency_ms, before?.avg_latency_ms ?? undefined);
  const period = previousPeriodWords(filter, report);
  const compare = (change: Change | null, good?: 'up' | 'down') =>
    change && <Delta change={change} period={period} good={good} />;
  return (
    <div className="flex flex-col gap-3">
      <dl className="grid grid-cols-2 gap-x-6 gap-y-4 lg:grid-cols-4">
        <Stat
          label="Spend"
          value={<Money usd={totals.cost_usd} headline />}
          note={compare(spend) ?? NO_NOTE}
        />
        <Stat
          label="Calls"
          value={formatNumber(totals.calls)}
          note={
            totals.byok_calls ? (
              <>
                {formatNumber(totals.byok_calls)} with own provider keys
                {calls && <> · {compare(calls, 'up')}</>}
              </>
            ) : (
              (compare(calls, 'up') ?? NO_NOTE)
            )
          }
        />
        {/* Filtered by status, a share is meaningless and the sums have no separate durations. */}
        {!filter.status && (
          <>
            <Stat
              label="Failed calls"
              value={
                totals.failed > 0 ? (
                  <Link href={errorsHref(filter)} className="hover:underline">
                    {formatNumber(totals.failed)}
                  </Link>
                ) : (
                  '0'
                )
              }
              note={
                hasRate(totals.calls) && totals.failed > 0 ? (
                  <>
                    {formatShare(totals.failed, totals.calls)} of calls
                    {failed && <> · {compare(failed, 'down')}</>}
                  </>
                ) : (
                  (compare(failed, 'down') ?? NO_NOTE)
                )
              }
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
        {sentence(periodWords(filter))}. Calls are counted by their end time, in UTC. Calls that were refused
        before they ran are listed under Refused, and not counted here.
      </p>
    </div>
  );
}
