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
  const amounts = Object.entries(prices.rates).map(([path, amount]) => [path, BigInt(amount)] as const);
  const rates = replaceRates(skill.price.rates(input), new Map(amounts));
  if (!rates) return null;
  const { markup, raw, byokRatePpm } = prices;
  return { max: { markup: BigInt(markup), raw: BigInt(raw) }, rates, byokRatePpm: BigInt(byokRatePpm) };
}
