import type { Microusd } from '../../kit/money';
import { type Cost, free, type Price } from '../../tools/sdk/define-tool';

/** What the operator asks for a call of an imported skill. */
export interface ImportedPrice {
  feeMicrousd: Microusd;
  /** What the upstream takes from the platform; a caller with a credential of their own pays it there. */
  providerCostMicrousd: Microusd;
}

/** The same for every input, for calls that succeed. Pure. */
export function priceOf({ feeMicrousd, providerCostMicrousd }: ImportedPrice): Price<unknown, unknown> {
  if (feeMicrousd + providerCostMicrousd === 0n) return free;
  const cost: Cost = { platformFee: feeMicrousd, providerCost: providerCostMicrousd };
  return {
    free: false,
    platformFeeMicrousd: feeMicrousd,
    providerCostMicrousd,
    unit: 'call',
    quote: () => cost,
    settle: () => cost,
  };
}
