import type { Series } from './chart-scale';

const COLORS = [1, 2, 3, 4, 5, 6, 7, 8].map((number) => `chart-${number}`);

/** The colour token of a series: by its position, and grey for the rest. */
export function getSeriesColor(series: Series, place: number): string {
  return series.isRest ? 'var(--chart-rest)' : `var(--${COLORS[place % COLORS.length]})`;
}
