import type { UsageErrors } from '@/server/usage/schema';
import { formatBuckets, nameAxis } from '../shared/axis-labels';
import { formatCount } from '../shared/format';
import type { Series } from '../ui/chart/chart-scale';
import { StackedBars } from '../ui/chart/stacked-bars';
import { formatCompact } from '../ui/format-number';
import { useTimes } from '../ui/time-provider';

/** Rows with their own colour. */
const SERIES = 8;

/** A row of a table, with its calls over time. */
interface TrendRow {
  id: string;
  name: string;
  trend: number[];
}

interface RowsOverTimeProps extends Pick<UsageErrors, 'unit' | 'trend_at'> {
  /** The accessible name: "Failed calls, last 7 days". */
  label: string;
  /** The most frequent first. */
  rows: readonly TrendRow[];
}

/** Failed or refused calls over time, stacked by the rows of the table below. */
export function RowsOverTime({ label, rows, unit, trend_at: times }: RowsOverTimeProps) {
  const { zone } = useTimes();
  return (
    <StackedBars
      label={label}
      buckets={formatBuckets(
        times.map((at) => ({ at })),
        unit,
        zone,
      )}
      axis={nameAxis(unit, zone)}
      series={buildRowSeries(rows)}
      integer
      format={(value) => formatCount(value, 'call')}
      formatTick={formatCompact}
    />
  );
}

/** A series for each of the most frequent rows, and one for all others. */
function buildRowSeries(rows: readonly TrendRow[]): Series[] {
  const leading = rows.slice(0, SERIES).map(({ id, name, trend }) => ({ id, name, values: trend }));
  const others = rows.slice(SERIES);
  if (others.length === 0) return leading;
  const values = (others[0]?.trend ?? []).map((_, at) =>
    others.reduce((sum, { trend }) => sum + (trend[at] ?? 0), 0),
  );
  return [...leading, { id: ' rest', name: formatCount(others.length, 'other'), values, isRest: true }];
}
