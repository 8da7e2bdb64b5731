import type { Runtime } from '../../core/runtime';
import { MICROUSD_PER_CENT } from '../../kit/money';
import { type Purchase, pricePurchase } from '../../money/payments/purchase';
import { type CallCost, sumCost } from '../prepare/price-call';

/** The smallest purchase by card, as of a machine top-up. */
const LEAST_CREDIT_MICROUSD = 1_000_000n;

/**
 * What is bought to pay for one call: the most that it can cost in whole cents, at least the
 * minimum, and the fee of every purchase.
 */
export function pricePaidCall({ settings }: Pick<Runtime, 'settings'>, quote: CallCost): Purchase {
  const cents = (sumCost(quote) + MICROUSD_PER_CENT - 1n) / MICROUSD_PER_CENT;
  const credits = cents * MICROUSD_PER_CENT;
  return pricePurchase(settings, credits < LEAST_CREDIT_MICROUSD ? LEAST_CREDIT_MICROUSD : credits);
}
