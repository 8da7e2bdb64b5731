/** Bounds of an amount, in US dollars. */
export interface AmountBounds {
  min_usd: number;
  max_usd: number;
}

/** Credit bought in a browser. */
export const PURCHASE_BOUNDS: AmountBounds = { min_usd: 1, max_usd: 10_000 };
/** Credit bought by one auto-recharge. */
export const RELOAD_BOUNDS: AmountBounds = { min_usd: 1, max_usd: 500 };
/** Credit bought by auto-recharge in 24 hours. */
export const DAILY_RELOAD_BOUNDS: AmountBounds = { min_usd: 1, max_usd: 5_000 };
/** Charges of auto-recharge in an hour and in 24 hours, after which it switches off. */
export const RELOADS_PER_HOUR = 3;
export const RELOADS_PER_DAY = 10;
/** The balance below which auto-recharge buys credit. */
export const MAX_THRESHOLD_USD = 10_000;

/** The rule of the fee, to show with each amount to pay: `5.5%, at least $0.80`. */
export function describeFee(terms: { fee_percent: number; fee_min_usd: number }): string {
  const { fee_percent: percent, fee_min_usd: least } = terms;
  const parts = [percent > 0 && `${percent}%`, least > 0 && `at least $${least.toFixed(2)}`];
  return parts.filter(Boolean).join(', ') || 'none';
}
