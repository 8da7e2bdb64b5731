import { usdFromMicrousd } from '../kit/money';
import type { UsageFilter, UsageTotals } from './schema';

/** What the roll-ups say of some calls; money in micro-dollars. */
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

/** The dearest first, then the busiest. */
export function byCost(a: Sums, b: Sums): number {
  const cost = b.raw + b.markup - (a.raw + a.markup);
  return cost === 0n ? b.calls - a.calls : cost > 0n ? 1 : -1;
}

/** As tables show it. */
export function sumOf({ calls, failed, raw, markup }: Sums): {
  calls: number;
  failed: number;
  cost_usd: number;
} {
  return { calls, failed, cost_usd: usdFromMicrousd(raw + markup) };
}

/** As figures show it. Time and own keys are summed up for calls of both endings together. */
export function totalsOf(sums: Sums, status: UsageFilter['status']): UsageTotals {
  const whole = status === undefined;
  return {
    ...sumOf(sums),
    raw_cost_usd: usdFromMicrousd(sums.raw),
    byok_calls: whole ? sums.byok_calls : null,
    avg_latency_ms: whole && sums.calls > 0 ? Math.round(Number(sums.latency_sum) / sums.calls) : null,
  };
}
