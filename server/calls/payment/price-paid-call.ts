import type { Runtime } from '../../core/runtime';
import { MICROUSD_PER_CENT, type Microusd } from '../../kit/money';
import { type Purchase, pricePurchase } from '../../money/payments/purchase';
import { type CallCost, sumCost } from '../prepare/price-call';

/** The smallest purchase by card, as of a machine top-up. */
const LEAST_CREDIT_MICROUSD = 1_000_000n;

/**
 * What is bought to pay for one call: the most that it can cost in whole cents, at least the
 * minimum, and the fee of every purchase.
 */
export function pricePaidCall({ settings }: Pick<Runtime, 'settings'>, quote: CallCost): Purchase {
  const credits = roundUpToCents(quote);
  return pricePurchase(settings, credits < LEAST_CREDIT_MICROUSD ? LEAST_CREDIT_MICROUSD : credits);
}

/** The same by x402, which has neither a minimum nor a fee of ours: whole cents, as the books. */
export function roundUpToCents(quote: CallCost): Microusd {
  const cents = (sumCost(quote) + MICROUSD_PER_CENT - 1n) / MICROUSD_PER_CENT;
  return (cents > 0n ? cents : 1n) * MICROUSD_PER_CENT;
}
