'use client';

import type { UsageReport } from '@/server/usage/schema';
import { formatBuckets, nameAxis } from '../shared/axis-labels';
import { formatCount } from '../shared/format';
import { Segmented } from '../shared/segmented';
import { useUrlChoice } from '../shared/use-url-choice';
import type { Series } from '../ui/chart/chart-scale';
import { StackedBars } from '../ui/chart/stacked-bars';
import { formatCompact } from '../ui/format-number';
import { lazyPart } from '../ui/lazy-part';
import { formatMoneyTick, moneyFormat } from '../ui/money';
import { useTimes } from '../ui/time-provider';

const TimeTable = lazyPart(() => import('./time-table').then((module) => module.TimeTable));

type Measure = 'spend' | 'calls';

const MEASURES = [
  { value: 'spend', label: 'Spend' },
  { value: 'calls', label: 'Calls' },
] as const;
const VIEWS = [
  { value: 'chart', label: 'Chart' },
  { value: 'table', label: 'Table' },
] as const;
/** Number of tools with their own colour. */
const SERIES = 8;

/**
 * Spend or calls over time, stacked by tool, as a chart or a table. Both choices are in the URL;
 * without spending, calls are shown first.
 */
export function OverTime({ report, words }: { report: UsageReport; words: string }) {
  const [measure, chooseMeasure] = useUrlChoice(
    'measure',
    report.totals.cost_usd > 0 ? ['spend', 'calls'] : ['calls', 'spend'],
  );
  const [view, chooseView] = useUrlChoice('view', ['chart', 'table']);
  const { zone } = useTimes();
  const buckets = formatBuckets(report.by_time, report.unit, zone);
  const series = buildSeries(report, measure);
  const writeMoney = moneyFormat(series.flatMap(({ values }) => values));
  const label = `${measure === 'spend' ? 'Spend' : 'Calls'}, ${words}`;
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <Segmented legend="Measure" value={measure} options={MEASURES} onValueChange={chooseMeasure} />
        <Segmented legend="Show as" value={view} options={VIEWS} onValueChange={chooseView} />
      </div>
      {view === 'table' ? (
        <TimeTable report={report} buckets={buckets} label={label} />
      ) : (
        <StackedBars
          label={label}
          buckets={buckets}
          axis={nameAxis(report.unit, zone)}
          series={series}
          integer={measure === 'calls'}
          format={(value) => (measure === 'spend' ? writeMoney(value) : formatCount(value, 'call'))}
          formatTick={measure === 'spend' ? formatMoneyTick : formatCompact}
        />
      )}
    </div>
  );
}

/** The series of the leading tools by this measure, and one for all others. */
export function buildSeries(
  report: Pick<UsageReport, 'series' | 'by_time' | 'by_tool'>,
  measure: Measure,
): Series[] {
  const pick = (row: { calls: number; cost_usd: number }) => (measure === 'spend' ? row.cost_usd : row.calls);
  const totals = new Map(report.by_tool.map((row) => [row.tool, pick(row)]));
  const leading = report.series
    .filter(({ tool }) => (totals.get(tool) ?? 0) > 0)
    .toSorted((a, b) => (totals.get(b.tool) ?? 0) - (totals.get(a.tool) ?? 0))
    .slice(0, SERIES)
    .map(({ tool, ...values }) => ({
      id: tool,
      name: tool,
      values: measure === 'spend' ? values.cost_usd : values.calls,
    }));
  const rest = report.by_time.map((bucket, at) => {
    const known = leading.reduce((sum, { values }) => sum + Math.round((values[at] ?? 0) * 1e6), 0);
    return Math.max(0, Math.round(pick(bucket) * 1e6) - known) / 1e6;
  });
  if (rest.every((value) => value === 0)) return leading;
  const others = [...totals.values()].filter((total) => total > 0).length - leading.length;
  return [...leading, { id: ' rest', name: formatCount(others, 'other tool'), values: rest, isRest: true }];
}
