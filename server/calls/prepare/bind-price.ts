import { GatewayError } from '../../core/errors/gateway-error';
import { formatUsd, type Microusd, microusdFromUsd } from '../../kit/money';
import type { BootedSettings } from '../../platform/settings/settings';
import type { CallInput, Quote } from '../schema';
import { type CallCost, sumCost } from './price-call';
import { type BoundPrices, createQuote, type QuotedCall, readQuote } from './quote';

/** The price of a call that names a quote or a limit. */
export interface BoundPrice {
  quote: CallCost;
  /** The prices of its quote; null for the current ones. */
  bound: BoundPrices | null;
}

/**
 * Applies the quote and the limit of a call.
 * @param current its maximum cost at the current prices
 * @param now the time at which the quote must be valid, in milliseconds since the epoch
 * @throws GatewayError INVALID_INPUT for a quote that is not of this call or has expired;
 *   COST_LIMIT_EXCEEDED
 */
export function bindPrice(
  settings: Pick<BootedSettings, 'authSecret' | 'byokRatePpm'>,
  { quote_id: quoteId, max_cost_usd: maxUsd }: Pick<CallInput, 'quote_id' | 'max_cost_usd'>,
  call: QuotedCall,
  current: CallCost,
  now: number,
): BoundPrice {
  const read = quoteId === undefined ? null : readQuote(settings, call, quoteId, now);
  const quote = read?.max ?? current;
  if (isOverLimit(quote, maxUsd)) {
    const offered = read?.quote ?? createQuote(settings, call, current);
    throw costLimitExceeded(offered, maxUsd ?? 0, call.skill.price.costFields);
  }
  return { quote, bound: read };
}

/** Whether a cost is over a limit in dollars; undefined is no limit. */
export function isOverLimit(cost: CallCost, maxUsd: number | undefined): boolean {
  return maxUsd !== undefined && sumCost(cost) > parseLimit(maxUsd);
}

function costLimitExceeded(quote: Quote, maxUsd: number, costFields: readonly string[] = []): GatewayError {
  const cost = formatUsd(parseLimit(quote.max_usd));
  const fields = costFields.map((field) => `input.${field}`);
  return new GatewayError('COST_LIMIT_EXCEEDED', {
    message: `The call can cost ${cost}, more than max_cost_usd (${formatUsd(parseLimit(maxUsd))}).`,
    hint:
      fields.length === 0
        ? 'Raise max_cost_usd to error.quote.max_usd, or use another skill.'
        : `Raise max_cost_usd to error.quote.max_usd, or change what sets the price: ${fields.join(', ')}.`,
    details: { quote, ...(fields.length > 0 && { cost_fields: [...costFields] }), billed: false },
  });
}

/** The most that a paid call may cost: what was paid, or its lower limit in dollars. */
export function getPaidLimit(paid: Microusd, maxUsd: number | undefined): Microusd {
  const limit = maxUsd === undefined ? paid : parseLimit(maxUsd);
  return limit < paid ? limit : paid;
}

/** Converts a limit in dollars; the schema has checked it. */
export function parseLimit(usd: number): bigint {
  return microusdFromUsd(usd) ?? 0n;
}
