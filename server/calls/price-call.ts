import { type Microusd, shareRoundedUp } from '../kit/money';
import type { AnySkill, Cost } from '../tools/sdk/define-tool';

/** What a call costs its account: `markup` (platform fee) and `raw` (provider cost), as contract section 7 splits it. */
export interface CallCost {
  markup: Microusd;
  raw: Microusd;
}

export function total(cost: CallCost): Microusd {
  return cost.markup + cost.raw;
}

/** With the client's own provider key: a share of the price, rounded up to a micro-dollar, and no provider cost. */
function applyByok(cost: Cost, byok: boolean, byokRatePpm: bigint): CallCost {
  if (!byok) return { markup: cost.platformFee, raw: cost.providerCost };
  return { markup: shareRoundedUp(cost.platformFee + cost.providerCost, byokRatePpm), raw: 0n };
}

/** The most a call can cost: what is held before the handler runs. */
export function quoteCall(skill: AnySkill, input: unknown, byok: boolean, byokRatePpm: bigint): CallCost {
  return applyByok(skill.price.quote(input), byok, byokRatePpm);
}

/**
 * The client's own key in a call: it had none, or was priced for one, which a request went out with or not
 * (docs/decisions/0017).
 */
export type OwnKey = 'none' | 'unused' | 'used';

/** What a finished call did cost; never more than its quote, whatever the price function says. */
export function settleCall(
  skill: AnySkill,
  input: unknown,
  usage: unknown,
  ownKey: OwnKey,
  byokRatePpm: bigint,
): CallCost {
  const quote = quoteCall(skill, input, ownKey !== 'none', byokRatePpm);
  const settled = skill.price.settle(input, usage);
  // The share is for a key that was used. Where none was, nobody's provider was paid: all of the price is markup.
  const cost =
    ownKey === 'unused'
      ? { markup: settled.platformFee + settled.providerCost, raw: 0n }
      : applyByok(settled, ownKey === 'used', byokRatePpm);
  return total(cost) <= total(quote) ? cost : quote;
}
