import type { UsageFilter, UsageReport } from '@/server/usage/schema';
import { formatCount, formatDuration, formatShare } from '../shared/format';
import { Money } from '../ui/money';
import { Stat } from '../ui/stat';
import { percentChange, pointsChange } from './change';
import { periodWords } from './view';

interface FiguresProps {
  report: UsageReport;
  filter: UsageFilter;
}

/** The totals of a period, each compared with the previous period. */
export function Figures({ report, filter }: FiguresProps) {
  const { totals, before } = report;
  const rate = (each: typeof totals | null) => (each && each.calls > 0 ? 1 - each.failed / each.calls : null);
  const spend = percentChange(totals.cost_usd, before?.cost_usd);
  const calls = percentChange(totals.calls, before?.calls);
  const success = pointsChange(rate(totals), rate(before));
  const time =
    totals.avg_latency_ms === null
      ? null
      : percentChange(totals.avg_latency_ms, before?.avg_latency_ms ?? undefined);
  return (
    <div className="flex flex-col gap-3">
      <dl className="grid grid-cols-2 gap-x-6 gap-y-4 sm:grid-cols-3 lg:grid-cols-5">
        <Stat
          label="Spend"
          value={<Money usd={totals.cost_usd} />}
          note={spend ?? ' '}
          className="max-lg:col-span-2 max-sm:col-span-2"
        />
        <Stat label="Calls" value={totals.calls.toLocaleString('en-US')} note={calls ?? ' '} />
        {/* Filtered by status, success rate is meaningless and the sums have no separate durations. */}
        {!filter.status && (
          <>
            <Stat
              label="Success rate"
              value={totals.calls === 0 ? '–' : formatShare(totals.calls - totals.failed, totals.calls)}
              note={success ?? (totals.failed > 0 ? formatCount(totals.failed, 'failed', 'failed') : ' ')}
            />
            <Stat
              label="BYOK calls"
              value={(totals.byok_calls ?? 0).toLocaleString('en-US')}
              note={share(totals.byok_calls ?? 0, totals.calls)}
            />
            <Stat
              label="Average duration"
              value={totals.avg_latency_ms === null ? '–' : formatDuration(totals.avg_latency_ms)}
              note={time ?? ' '}
            />
          </>
        )}
      </dl>
      <p className="text-muted text-sm">
        {sentence(periodWords(filter))}
        {before && `, compared with the previous period`}. Calls are counted by their end time, in UTC.
      </p>
    </div>
  );
}

function share(part: number, whole: number): string {
  return part === 0 || whole === 0 ? ' ' : `${formatShare(part, whole)} of calls`;
}

function sentence(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}
