import { usdFromMicrousd } from '../kit/money';
import type { UsageFilter, UsageTotals } from './schema';

/** Totals of some calls from the rollups; money in microdollars. */
export interface Sums {
  calls: number;
  failed: number;
  raw: bigint;
  markup: bigint;
  byok_calls: number;
  latency_sum: bigint;
}

export const NOTHING: Sums = { calls: 0, failed: 0, raw: 0n, markup: 0n, byok_calls: 0, latency_sum: 0n };

export function addSums(rows: readonly Sums[]): Sums {
  const total = { ...NOTHING };
  for (const row of rows) {
    total.calls += row.calls;
    total.failed += row.failed;
    total.raw += row.raw;
    total.markup += row.markup;
    total.byok_calls += row.byok_calls;
    total.latency_sum += row.latency_sum;
  }
  return total;
}

export function isEmpty({ calls }: Sums): boolean {
  return calls === 0;
}

/** Order by cost, then by calls, descending. */
export function byCost(a: Sums, b: Sums): number {
  const cost = b.raw + b.markup - (a.raw + a.markup);
  return cost === 0n ? b.calls - a.calls : cost > 0n ? 1 : -1;
}

/** Totals for table rows. */
export function toSumRow({ calls, failed, raw, markup }: Sums): {
  calls: number;
  failed: number;
  cost_usd: number;
} {
  return { calls, failed, cost_usd: usdFromMicrousd(raw + markup) };
}

/**
 * Totals for summary figures. Latency and BYOK are not split by outcome, so they are null with a
 * status filter.
 */
export function toTotals(sums: Sums, status: UsageFilter['status']): UsageTotals {
  const isUnfiltered = status === undefined;
  return {
    ...toSumRow(sums),
    raw_cost_usd: usdFromMicrousd(sums.raw),
    byok_calls: isUnfiltered ? sums.byok_calls : null,
    avg_latency_ms: isUnfiltered && sums.calls > 0 ? Math.round(Number(sums.latency_sum) / sums.calls) : null,
  };
}
