/** The periods of an overview; the first is the default. */
export const OVERVIEW_PERIODS = ['30d', '7d', 'yesterday', '24h'] as const;
export type OverviewPeriod = (typeof OVERVIEW_PERIODS)[number];

/** The periods of a key's page, which also covers its whole lifetime. */
export const KEY_PERIODS = ['30d', '7d', 'yesterday', '24h', 'all'] as const;

/** The periods of what keys spent, in their list. */
export const KEY_SPEND_PERIODS = ['30d', '7d', '24h', 'mtd'] as const;
export type KeySpendPeriod = (typeof KEY_SPEND_PERIODS)[number];

/** Number of recent calls on an overview. */
export const RECENT_CALLS = 8;

/** The period in a URL; defaults to the first. */
export function readPeriod<Period extends string>(
  periods: readonly [Period, ...Period[]],
  value: unknown,
): Period {
  return periods.find((period) => period === value) ?? periods[0];
}
