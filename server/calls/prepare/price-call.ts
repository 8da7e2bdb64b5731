import { type Microusd, shareRoundedUp } from '../../kit/money';
import type { AnySkill, Cost } from '../../tools/sdk/define-tool';
import type { RateTable } from '../../tools/sdk/rates';

/**
 * The cost of a call in microdollars: `markup` (platform fee) and `raw` (provider cost), split as
 * in contract section 7.
 */
export interface CallCost {
  markup: Microusd;
  raw: Microusd;
}

export function sumCost(cost: CallCost): Microusd {
  return cost.markup + cost.raw;
}

/** A cost of at most `limit`; of a higher one, the markup is reduced first. */
export function limitCost(cost: CallCost, limit: Microusd): CallCost {
  if (sumCost(cost) <= limit) return cost;
  const raw = cost.raw < limit ? cost.raw : limit;
  return { markup: limit - raw, raw };
}

/** With BYOK: a share of the price, rounded up to a microdollar, and no provider cost. */
function applyByok(cost: Cost, byok: boolean, byokRatePpm: bigint): CallCost {
  if (!byok) return { markup: cost.platformFee, raw: cost.providerCost };
  return { markup: shareRoundedUp(cost.platformFee + cost.providerCost, byokRatePpm), raw: 0n };
}

/** The maximum cost of a call, held before the handler runs. */
export function quoteCall(skill: AnySkill, input: unknown, byok: boolean, byokRatePpm: bigint): CallCost {
  return applyByok(skill.price.quote(input), byok, byokRatePpm);
}

/** The maximum cost of a validated call, with the chosen credential. Pure. */
export function quoteWithCredential(
  skill: AnySkill,
  { input, quote }: { input: unknown; quote: CallCost },
  credential: { isByok: boolean } | null,
  byokRatePpm: bigint,
): CallCost {
  return credential?.isByok ? quoteCall(skill, input, true, byokRatePpm) : quote;
}

/**
 * Whether the call had a BYOK key, and whether a request was sent with it (docs/decisions/0017).
 */
export type OwnKey = 'none' | 'unused' | 'used';

/** The prices of a call: those of now, or those of its quote. */
export interface CallPrices {
  /** The maximum cost. */
  quote: CallCost;
  byokRatePpm: bigint;
  /** The unit prices of its quote; undefined for the current ones. */
  rates?: RateTable | undefined;
}

/** The cost of a finished call; never more than its quote, whatever the price function returns. */
export function computeCost(
  skill: AnySkill,
  input: unknown,
  usage: unknown,
  ownKey: OwnKey,
  { quote, byokRatePpm, rates }: CallPrices,
): CallCost {
  const settled = skill.price.settle(input, usage, rates);
  // The BYOK rate needs a used key. An unused one cost no provider anything: all of the price is
  // markup.
  const cost =
    ownKey === 'unused'
      ? { markup: settled.platformFee + settled.providerCost, raw: 0n }
      : applyByok(settled, ownKey === 'used', byokRatePpm);
  return sumCost(cost) <= sumCost(quote) ? cost : quote;
}
