import type { AnySkill } from '../../tools/sdk/define-tool';
import { listRates, replaceRates } from '../../tools/sdk/rates';
import type { QueuedPrices } from '../admission/store';
import type { BoundPrices } from './quote';

/** Converts the prices of a quote for the row of a queued call. */
export function toQueuedPrices({ max, rates, byokRatePpm }: BoundPrices): QueuedPrices {
  return {
    markup: String(max.markup),
    raw: String(max.raw),
    byokRatePpm: String(byokRatePpm),
    rates: Object.fromEntries([...listRates(rates)].map(([path, amount]) => [path, String(amount)])),
  };
}

/** Restores the prices of a queued call; null if its skill now has other unit prices. */
export function fromQueuedPrices(prices: QueuedPrices, skill: AnySkill, input: unknown): BoundPrices | null {
  const current = skill.price.rates(input);
  const amounts = new Map(Object.entries(prices.rates).map(([path, amount]) => [path, BigInt(amount)]));
  // A call that an older release queued has no markup.
  if (current.markupPpm !== undefined && !amounts.has('markupPpm')) amounts.set('markupPpm', 0n);
  const rates = replaceRates(current, amounts);
  if (!rates) return null;
  const { markup, raw, byokRatePpm } = prices;
  return { max: { markup: BigInt(markup), raw: BigInt(raw) }, rates, byokRatePpm: BigInt(byokRatePpm) };
}
