import type { Series } from './chart-scale';

const COLORS = ['chart-1', 'chart-2', 'chart-3', 'chart-4', 'chart-5'] as const;

/** The colour token of a series: by its position, and grey for the rest. */
export function getSeriesColor(series: Series, place: number): string {
  return series.isRest ? 'var(--chart-rest)' : `var(--${COLORS[place % COLORS.length]})`;
}
