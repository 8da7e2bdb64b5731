import type { GatewayError } from '../core/errors/gateway-error';
import type { Runtime } from '../core/runtime';
import { errorBody } from '../core/trpc/format-error';
import { usdFromMicrousd } from '../kit/money';
import type { Attempt } from './attempt-call';
import { jobIdOf, pollUrl } from './jobs/job-ids';
import type { OpenedCall, ReadyCall } from './open-call';
import { type CallCost, settleCall, total } from './price-call';
import type { CallResult } from './result/schema';

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
export function priceAttempt(runtime: Runtime, call: OpenedCall, attempt: Attempt, byok: boolean): Priced {
  if (!attempt.ok) return { attempt, cost: NOTHING, byok };
  const ownKey = byok ? 'used' : call.credential?.isOwn ? 'unused' : 'none';
  try {
    const cost = settleCall(call.skill, call.input, attempt.usage, ownKey, runtime.settings.byokRatePpm);
    return { attempt, cost, byok };
  } catch (cause) {
    const message = 'The price of the call could not be computed.';
    const failed = { ok: false, code: 'HANDLER_ERROR', message, cause } as const;
    return { attempt: { ...failed, latencyMs: attempt.latencyMs }, cost: NOTHING, byok };
  }
}

/** Builds the response of a successful call. */
export function successOf(
  runtime: Runtime,
  call: OpenedCall,
  attempt: Attempt & { ok: true },
  { cost, byok }: Pick<Priced, 'cost' | 'byok'>,
  available: bigint,
): CallResult {
  return {
    id: call.id,
    status: 'success',
    output: attempt.output,
    usage: {
      cost: usdFromMicrousd(total(cost)),
      currency: 'USD',
      credits_remaining: usdFromMicrousd(available),
      raw_cost: usdFromMicrousd(cost.raw),
      markup: usdFromMicrousd(cost.markup),
    },
    meta: metaOf(runtime, call, attempt.latencyMs, byok),
    billed: total(cost) > 0n,
  };
}

/** Builds the response of a call that continues as a job. */
export function pendingOf(runtime: Runtime, call: ReadyCall, latencyMs: number): CallResult {
  const jobId = jobIdOf(call.id);
  return {
    id: call.id,
    status: 'pending',
    meta: metaOf(runtime, call, Math.round(latencyMs), call.credential?.isOwn === true),
    billed: false,
    job_id: jobId,
    poll_url: pollUrl(runtime.settings.baseUrl, jobId),
  };
}

function metaOf({ versions }: Runtime, call: ReadyCall, latencyMs: number, byok: boolean) {
  const { tool, skill, billing } = call;
  const meta = { tool: tool.name, skill: skill.name, latency_ms: latencyMs, billing, byok };
  const notice = versions.ofTool(tool.name, skill.name);
  return notice ? Object.assign(meta, { deprecated: notice.deprecated }) : meta;
}

/** Wraps an error as a ToolCallResult, for batches and job results. */
export function errorOf(
  error: GatewayError,
  { requestId, baseUrl }: { requestId: string; baseUrl: string },
  call: { id: string | null; tool: string; skill: string; latencyMs: number },
): CallResult {
  const { id, tool, skill, latencyMs } = call;
  return {
    id,
    status: 'error',
    error: errorBody(error, requestId, baseUrl).error,
    meta: { tool, skill, latency_ms: Math.round(latencyMs) },
    // If the response of the database was lost, it is unknown whether the call was billed.
    ...(error.status < 500 || error.details.billed === false ? { billed: false } : {}),
  };
}
