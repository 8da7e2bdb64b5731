import type { Insight, InsightOrder, InsightPeriod } from '@/server/operations/operator/insight/schema';
import type { Series } from '../ui/chart/chart-scale';

/** The first is the default. */
export const INSIGHT_PERIODS = ['30d', '24h', '7d', '90d'] as const satisfies readonly InsightPeriod[];
export const INSIGHT_ORDERS = ['revenue', 'calls', 'failures'] as const satisfies readonly InsightOrder[];
export const MEASURES = ['money', 'calls', 'sign_ups'] as const;
export type Measure = (typeof MEASURES)[number];

export const PERIOD_WORDS: Record<InsightPeriod, string> = {
  '24h': 'last 24 hours',
  '7d': 'last 7 days',
  '30d': 'last 30 days',
  '90d': 'last 90 days',
};

/** The parameters of a URL; unknown values are the defaults. */
export function readInsight(get: (name: string) => string | null | undefined): {
  period: InsightPeriod;
  by: InsightOrder;
} {
  return {
    period: INSIGHT_PERIODS.find((period) => period === get('period')) ?? INSIGHT_PERIODS[0],
    by: INSIGHT_ORDERS.find((by) => by === get('by')) ?? INSIGHT_ORDERS[0],
  };
}

/** What is stacked: revenue is the provider's cost and the margin. */
export function buildInsightSeries(times: Insight['by_time'], measure: Measure): Series[] {
  const series = (
    id: string,
    name: string,
    pick: (bucket: Insight['by_time'][number]) => number,
  ): Series => ({
    id,
    name,
    values: times.map(pick),
  });
  if (measure === 'money')
    return [
      series('margin', 'Margin', ({ margin_usd }) => margin_usd),
      series('cost', 'Provider cost', ({ provider_cost_usd }) => provider_cost_usd),
    ];
  if (measure === 'sign_ups') return [series('people', 'Sign-ups', ({ sign_ups }) => sign_ups)];
  return [
    series('good', 'Other calls', ({ calls, failed }) => calls - failed),
    series('failed', 'Tool failures', ({ failed }) => failed),
  ];
}
