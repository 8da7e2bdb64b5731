import type { UsageErrors } from '@/server/usage/schema';
import { formatBuckets } from '../shared/axis-labels';
import { formatCount } from '../shared/format';
import type { Series } from '../ui/chart/chart-scale';
import { StackedBars } from '../ui/chart/stacked-bars';
import { formatCompact } from '../ui/format-number';
import { codeWords } from './code-words';

/** Rows with their own colour. */
const SERIES = 8;

/** Failed calls over time, stacked by tool and code. */
export function ErrorsOverTime({ errors, words }: { errors: UsageErrors; words: string }) {
  return (
    <StackedBars
      label={`Failed calls, ${words}`}
      buckets={formatBuckets(
        errors.trend_at.map((at) => ({ at })),
        errors.unit,
      )}
      series={buildErrorSeries(errors.errors)}
      integer
      format={(value) => formatCount(value, 'call')}
      formatTick={formatCompact}
    />
  );
}

/** A series for each of the most frequent rows, and one for all others. */
export function buildErrorSeries(rows: UsageErrors['errors']): Series[] {
  const leading = rows.slice(0, SERIES).map(({ tool, error_code: code, trend }) => ({
    id: `${tool} ${code}`,
    name: `${tool} ${codeWords(code)}`,
    values: trend,
  }));
  const others = rows.slice(SERIES);
  if (others.length === 0) return leading;
  const values = (others[0]?.trend ?? []).map((_, at) =>
    others.reduce((sum, { trend }) => sum + (trend[at] ?? 0), 0),
  );
  return [...leading, { id: ' rest', name: formatCount(others.length, 'other error'), values, isRest: true }];
}
