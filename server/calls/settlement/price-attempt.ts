import type { Runtime } from '../../core/runtime';
import type { Attempt } from '../execution/attempt-call';
import { toJobId } from '../jobs/job-ids';
import type { PreparedCall } from '../prepare/prepare-call';
import { type CallCost, computeCost } from '../prepare/price-call';
import { getOutcome, isToolFailure } from './call-failure';
import type { Settlement } from './store';

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

/** How a call ended, as its end is recorded. */
export function toSettlement(
  { callContents }: Pick<Runtime, 'callContents'>,
  { id, keyId, accountId }: PreparedCall,
  { attempt, cost, byok }: Priced,
): Settlement {
  return {
    id,
    keyId,
    markup: cost.markup,
    raw: cost.raw,
    byok,
    errorCode: attempt.ok ? null : attempt.code,
    errorMessage: attempt.ok ? undefined : attempt.message,
    sealsMessage: !attempt.ok && callContents.wants(accountId),
    latencyMs: attempt.latencyMs,
  };
}

/**
 * Counts an ended call, and logs it if the tool failed.
 * @param end.isLost another process ended it first
 */
export function reportEnded(
  { observer, log }: Pick<Runtime, 'log' | 'observer'>,
  call: PreparedCall,
  { attempt, cost, byok }: Priced,
  { requestId, isJob, isLost = false }: { requestId: string; isJob: boolean; isLost?: boolean },
): void {
  const { id: callId, accountId, keyId } = call;
  const tool = call.tool.name;
  observer.callEnded({
    tool,
    outcome: isLost ? 'lost' : getOutcome(attempt),
    mode: isJob ? 'job' : 'request',
    latencyMs: attempt.latencyMs,
    chargedMicrousd: cost.markup + cost.raw,
    byok,
  });
  if (attempt.ok || !isToolFailure(attempt.code)) return;
  const jobId = isJob ? toJobId(callId) : undefined;
  const names = { callId, jobId, accountId, keyId, tool, skill: call.skill.name };
  log.warn('tool.failed', { requestId, ...names, error: attempt.cause });
}
