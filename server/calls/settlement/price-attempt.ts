import type { Runtime } from '../../core/runtime';
import type { Attempt } from '../execution/attempt-call';
import type { PreparedCall } from '../prepare/prepare-call';
import { type CallCost, computeCost } from '../prepare/price-call';

const NOTHING: CallCost = { markup: 0n, raw: 0n };

/** An attempt and its cost. */
export interface Priced {
  attempt: Attempt;
  cost: CallCost;
  /** A request was sent with the caller's own provider key. */
  byok: boolean;
}

/**
 * Computes the cost of an attempt: zero if it failed. If the price function of the skill throws,
 * the call fails and costs nothing.
 * @param byok whether a request was sent with the caller's own provider key
 */
export function priceAttempt(
  runtime: Pick<Runtime, 'settings'>,
  call: PreparedCall,
  attempt: Attempt,
  byok: boolean,
): Priced {
  if (!attempt.ok) return { attempt, cost: NOTHING, byok };
  const ownKey = byok ? 'used' : call.credential?.isByok ? 'unused' : 'none';
  try {
    const { quote, bound } = call;
    const { byokRatePpm } = bound ?? runtime.settings;
    const prices = { quote, byokRatePpm, rates: bound?.rates };
    const cost = computeCost(call.skill, call.input, attempt.usage, ownKey, prices);
    return { attempt, cost, byok };
  } catch (cause) {
    const message = 'The price of the call could not be computed.';
    const failed = { ok: false, code: 'HANDLER_ERROR', message, cause } as const;
    return { attempt: { ...failed, latencyMs: attempt.latencyMs }, cost: NOTHING, byok };
  }
}
