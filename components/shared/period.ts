/** The periods of an overview; the first is what a URL without a period means. */
export const OVERVIEW_PERIODS = ['30d', '7d', '24h'] as const;
export type OverviewPeriod = (typeof OVERVIEW_PERIODS)[number];

/** The periods of one key, whose whole life is of interest. */
export const KEY_PERIODS = ['30d', '7d', '24h', 'all'] as const;

/** How many of the last calls an overview shows. */
export const LAST_CALLS = 8;

/** The period a URL names; anything else is the first. */
export function readPeriod<Period extends string>(
  periods: readonly [Period, ...Period[]],
  value: unknown,
): Period {
  return periods.find((period) => period === value) ?? periods[0];
}
