import { formatCount } from '../shared/format';

/** Above it, the pace of a week says nothing. */
const LONGEST_DAYS = 365;

/**
 * How long a balance lasts if spending continues as in the last 7 days: `about 12 days`.
 * @returns null without a balance or without spending
 */
export function estimateRunway(availableUsd: number, weekUsd: number): string | null {
  if (availableUsd <= 0 || weekUsd <= 0) return null;
  const days = (availableUsd * 7) / weekUsd;
  if (days < 1) return 'less than a day';
  return days > LONGEST_DAYS ? 'more than a year' : `about ${formatCount(Math.round(days), 'day')}`;
}
