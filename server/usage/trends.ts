import { MAX_TREND_POINTS } from './limits';

interface Trends {
  /** When each part of a trend begins. */
  at: string[];
  /** The calls of each name over time. */
  of: (name: string) => number[];
}

/**
 * Sums calls by name over time; adjacent buckets are summed if there are many.
 * @param nameOf null for rows that belong to no trend, like those without a bucket
 */
export function sumTrends<Row extends { at: number | null }>(
  rows: readonly Row[],
  buckets: readonly number[],
  nameOf: (row: Row) => string | null,
  countOf: (row: Row) => number,
): Trends {
  const size = Math.max(1, Math.ceil(buckets.length / MAX_TREND_POINTS));
  const points = Math.ceil(buckets.length / size);
  const places = new Map(buckets.map((at, index) => [at, Math.floor(index / size)]));
  const trends = new Map<string, number[]>();
  for (const row of rows) {
    const name = nameOf(row);
    const place = row.at === null ? undefined : places.get(row.at);
    if (name === null || place === undefined) continue;
    const trend = trends.get(name) ?? new Array<number>(points).fill(0);
    trends.set(name, trend);
    trend[place] = (trend[place] ?? 0) + countOf(row);
  }
  return {
    at: buckets.filter((_, index) => index % size === 0).map((at) => new Date(at).toISOString()),
    of: (name) => trends.get(name) ?? [],
  };
}
