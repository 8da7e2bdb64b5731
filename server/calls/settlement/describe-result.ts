import { errorBody } from '../../core/errors/error-body';
import type { GatewayError } from '../../core/errors/gateway-error';
import type { Runtime } from '../../core/runtime';
import { usdFromMicrousd } from '../../kit/money';
import type { Attempt } from '../execution/attempt-call';
import { buildPollUrl, toJobId } from '../jobs/job-ids';
import type { PreparedCall } from '../prepare/prepare-call';
import { sumCost } from '../prepare/price-call';
import type { CallResult } from '../result/schema';
import type { Priced } from './price-attempt';

/** Builds the response of a successful call. */
export function toSuccessResult(
  runtime: Pick<Runtime, 'versions'>,
  call: PreparedCall,
  attempt: Attempt & { ok: true },
  { cost, byok }: Pick<Priced, 'cost' | 'byok'>,
  available: bigint,
): CallResult {
  return {
    id: call.id,
    status: 'success',
    output: attempt.output,
    usage: {
      cost: usdFromMicrousd(sumCost(cost)),
      currency: 'USD',
      credits_remaining: usdFromMicrousd(available),
      raw_cost: usdFromMicrousd(cost.raw),
      markup: usdFromMicrousd(cost.markup),
    },
    meta: buildMeta(runtime, call, attempt.latencyMs, byok),
    billed: sumCost(cost) > 0n,
  };
}

/** Builds the response of a call that continues as a job. */
export function toPendingResult(
  runtime: Pick<Runtime, 'settings' | 'versions'>,
  call: PreparedCall,
  latencyMs: number,
): CallResult {
  const jobId = toJobId(call.id);
  return {
    id: call.id,
    status: 'pending',
    meta: buildMeta(runtime, call, Math.round(latencyMs), call.credential?.isByok === true),
    billed: false,
    job_id: jobId,
    poll_url: buildPollUrl(runtime.settings.baseUrl, jobId),
  };
}

function buildMeta(
  { versions }: Pick<Runtime, 'versions'>,
  call: PreparedCall,
  latencyMs: number,
  byok: boolean,
) {
  const { tool, skill, chargedTo: billing } = call;
  const meta = { tool: tool.name, skill: skill.name, latency_ms: latencyMs, billing, byok };
  const notice = versions.findToolNotice(tool.name, skill.name);
  return notice ? Object.assign(meta, { deprecated: notice.deprecated }) : meta;
}

/** Wraps an error as a ToolCallResult, for batches and job results. */
export function toErrorResult(
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
