import type { Microusd } from '../../kit/money';
import { fixedCost, free, type Price } from '../../tools/sdk/define-tool';

/** The price of a call of an imported skill. */
export interface ImportedPrice {
  feeMicrousd: Microusd;
  /** What the upstream charges the platform; a BYOK caller pays it to the upstream instead. */
  providerCostMicrousd: Microusd;
}

/** Converts to a flat price per successful call, for any input. Pure. */
export function toPrice({ feeMicrousd, providerCostMicrousd }: ImportedPrice): Price<unknown, unknown> {
  if (feeMicrousd + providerCostMicrousd === 0n) return free;
  return {
    free: false,
    platformFeeMicrousd: feeMicrousd,
    providerCostMicrousd,
    unit: 'call',
    ...fixedCost({ platformFee: feeMicrousd, providerCost: providerCostMicrousd }),
  };
}
