import type { Runtime } from '../../core/runtime';
import { microusdFromUsd, usdFromMicrousd } from '../../kit/money';
import { PURCHASE_BOUNDS } from '../billing/limits';
import type { PurchaseTerms } from '../billing/schema';
import { pricePurchase } from './purchase';

const PPM_PER_PERCENT = 10_000;

/** How this gateway sells credit. */
export function getTerms({ settings, ports }: Pick<Runtime, 'ports' | 'settings'>): PurchaseTerms {
  return {
    mode: ports.payments?.mode ?? 'none',
    ...PURCHASE_BOUNDS,
    fee_percent: Number(settings.purchaseFeePpm) / PPM_PER_PERCENT,
    fee_min_usd: usdFromMicrousd(settings.purchaseFeeMinMicrousd),
  };
}

/**
 * The price of an amount of credit.
 * @param amountUsd whole cents, as the schema guarantees
 */
export function quotePurchase({ settings }: Pick<Runtime, 'settings'>, amountUsd: number) {
  const { credits, fee, totalCents } = pricePurchase(settings, microusdFromUsd(amountUsd) ?? 0n);
  return { credit_usd: usdFromMicrousd(credits), fee_usd: usdFromMicrousd(fee), total_usd: totalCents / 100 };
}
