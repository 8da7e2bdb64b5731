'use client';

import type { UsageReport } from '@/server/usage/schema';
import { formatBuckets, nameAxis } from '../shared/axis-labels';
import { formatCount } from '../shared/format';
import { Segmented } from '../shared/segmented';
import { useUrlChoice } from '../shared/use-url-choice';
import { useUrlQuery } from '../shared/use-url-query';
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
/** Number of tools or keys with their own colour. */
const SERIES = 8;

/**
 * Spend or calls over time, as a chart or a table, stacked as the table below is grouped. All
 * choices are in the URL; without spending, calls are shown first.
 */
export function OverTime({ report, words }: { report: UsageReport; words: string }) {
  const [measure, chooseMeasure] = useUrlChoice(
    'measure',
    report.totals.cost_usd > 0 ? ['spend', 'calls'] : ['calls', 'spend'],
  );
  const [view, chooseView] = useUrlChoice('view', ['chart', 'table']);
  const [get] = useUrlQuery();
  const { zone } = useTimes();
  const buckets = formatBuckets(report.by_time, report.unit, zone);
  const by = readGrouping(report, get('by'));
  const series = buildSeries(report, by, measure);
  const writeMoney = moneyFormat(series.flatMap(({ values }) => values));
  const label = `${measure === 'spend' ? 'Spend' : 'Calls'}, ${words}, by ${NOUNS[by]}`;
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

const NOUNS = { tool: 'tool', key: 'key', member: 'member', account: 'account' } as const;
export type Grouping = keyof typeof NOUNS;

/** The grouping that is chosen for the table below, if the report has it over time. */
function readGrouping(report: UsageReport, by: string | null): Grouping {
  return GROUPINGS.find((each) => each === by && report.series[each] !== null) ?? 'tool';
}

const GROUPINGS = ['tool', 'key', 'member', 'account'] as const satisfies readonly Grouping[];

type Charted = Pick<UsageReport, 'series' | 'by_time' | 'by_tool' | 'by_key' | 'keys_left_out'> &
  Pick<UsageReport, 'by_member' | 'by_account'>;

/** The leading series of a grouping by this measure, and one for all others. */
export function buildSeries(report: Charted, by: Grouping, measure: Measure): Series[] {
  const pick = (row: { calls: number; cost_usd: number }) => (measure === 'spend' ? row.cost_usd : row.calls);
  const total = ({ values }: Series) => values.reduce((sum, value) => sum + value, 0);
  const leading = (report.series[by] ?? [])
    .map(({ id, name, calls, cost_usd }) => ({ id, name, values: measure === 'spend' ? cost_usd : calls }))
    .filter((series) => total(series) > 0)
    .toSorted((a, b) => total(b) - total(a))
    .slice(0, SERIES);
  const rest = report.by_time.map((bucket, at) => {
    const known = leading.reduce((sum, { values }) => sum + Math.round((values[at] ?? 0) * 1e6), 0);
    return Math.max(0, Math.round(pick(bucket) * 1e6) - known) / 1e6;
  });
  if (rest.every((value) => value === 0)) return leading;
  const rows = {
    tool: report.by_tool,
    key: report.by_key,
    member: report.by_member,
    account: report.by_account,
  };
  const used =
    (rows[by] ?? []).filter((row) => pick(row) > 0).length + (by === 'key' ? report.keys_left_out : 0);
  const name = formatCount(Math.max(1, used - leading.length), `other ${NOUNS[by]}`);
  return [...leading, { id: ' rest', name, values: rest, isRest: true }];
}
