import type { Microusd } from '../../kit/money';
import { MICROUSD_PER_CENT } from '../../kit/money';
import type { Settings } from '../../platform/settings/settings';

/** The price of credit. All amounts are whole cents; `totalCents = (credits + fee) / 10,000`. */
export interface Purchase {
  credits: Microusd;
  fee: Microusd;
  totalCents: number;
}

/**
 * Prices a purchase: the fee is a share of the credits, at least the minimum fee, rounded half-up
 * to cents (contract section 7: $10 → $10.80, $20 → $21.10).
 * @param credits whole cents
 */
export function pricePurchase(
  { purchaseFeePpm, purchaseFeeMinMicrousd }: Pick<Settings, 'purchaseFeePpm' | 'purchaseFeeMinMicrousd'>,
  credits: Microusd,
): Purchase {
  const share = toCents(credits * purchaseFeePpm, MICROUSD_PER_CENT * 1_000_000n);
  const least = toCents(purchaseFeeMinMicrousd, MICROUSD_PER_CENT);
  let fee = share * MICROUSD_PER_CENT;
  // Math.max does not accept bigint.
  if (share < least) fee = least * MICROUSD_PER_CENT;
  return { credits, fee, totalCents: Number((credits + fee) / MICROUSD_PER_CENT) };
}

/** Rounds half-up; for non-negative amounts. */
function toCents(amount: bigint, perCent: bigint): bigint {
  return (2n * amount + perCent) / (2n * perCent);
}

/**
 * The credits that taking back `cents` of a payment takes back: proportional, half-up, all for all.
 */
export function proportionalCredits({ credits, totalCents }: Omit<Purchase, 'fee'>, cents: number): Microusd {
  const taken = BigInt(Math.min(Math.max(cents, 0), totalCents));
  const total = BigInt(totalCents);
  return (2n * credits * taken + total) / (2n * total);
}
