import { usdFromMicrousd } from '../kit/money';
import type { ReportRow } from './report-store';
import type { UsageSeries } from './schema';
import { addSums, byCost, isEmpty, NOTHING, type Sums } from './sums';

/** Rows with their own series: this many by spend and this many by calls. */
const SERIES = 8;

/**
 * Sums rows over time by what they are named, for those with the highest spend and those with the
 * most calls.
 * @param nameOf null for rows of other groupings
 */
export function sumSeries(
  rows: readonly ReportRow[],
  buckets: readonly number[],
  nameOf: (row: ReportRow) => { id: string; name: string } | null,
): UsageSeries[] {
  const places = new Map(buckets.map((at, index) => [at, index]));
  const lines = new Map<string, { name: string; cells: Sums[]; total: Sums }>();
  for (const row of rows) {
    const place = row.at === null ? undefined : places.get(row.at);
    const named = place === undefined ? null : nameOf(row);
    if (named === null || place === undefined) continue;
    const line = lines.get(named.id) ?? {
      name: named.name,
      cells: buckets.map(() => NOTHING),
      total: NOTHING,
    };
    line.cells[place] = addSums([line.cells[place] ?? NOTHING, row]);
    line.total = addSums([line.total, row]);
    lines.set(named.id, line);
  }
  const used = [...lines].filter(([, { total }]) => !isEmpty(total)).sort(([a], [b]) => (a < b ? -1 : 1));
  const dearest = used.toSorted(([, a], [, b]) => byCost(a.total, b.total)).slice(0, SERIES);
  const busiest = used.toSorted(([, a], [, b]) => b.total.calls - a.total.calls).slice(0, SERIES);
  return [...new Map([...dearest, ...busiest])].map(([id, { name, cells }]) => ({
    id,
    name,
    calls: cells.map(({ calls }) => calls),
    cost_usd: cells.map(({ raw, markup }) => usdFromMicrousd(raw + markup)),
  }));
}
