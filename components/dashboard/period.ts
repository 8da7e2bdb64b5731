import type { UsageSummary } from '@/server/usage/schema';

export type Period = UsageSummary['period'];

/** The first is what a URL without a period means. */
export const PERIODS: readonly [Period, ...Period[]] = ['month', 'week', 'day', 'all'];

/** How many calls a page of a history has. */
export const HISTORY_PAGE = '25';

/** The period a URL names; anything else is the default. */
export function readPeriod(value: unknown): Period {
  return PERIODS.find((period) => period === value) ?? PERIODS[0];
}
