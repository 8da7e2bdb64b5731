import { setTimeout as wait } from 'node:timers/promises';
import { callRateHeaders } from '../../core/limits/rate-headers';
import type { Runtime } from '../../core/runtime';
import type { KeyContext } from '../../core/trpc/context';
import type { AdmittedCall } from '../admission/admit-call';
import { type Attempt, attemptCall } from '../execution/attempt-call';
import { CallServices } from '../execution/call-services';
import { resolveWaitMs } from '../execution/start-call';
import type { PreparedCall } from '../prepare/prepare-call';
import { sumCost } from '../prepare/price-call';
import type { CallResult } from '../result/schema';
import { callFailure, getOutcome, isToolFailure } from '../settlement/call-failure';
import { type Priced, priceAttempt, toSuccessResult } from '../settlement/price-attempt';
import { type FastPathRequest, type FastPathResult, findCommittedCall } from './fast-path-store';

/** A statement with a lost response is retried: it counts once. */
const ATTEMPTS = 5;

/**
 * Whether a call may take the fast path: its skill computes at once, uses no provider, and the
 * account of the key pays.
 */
export function canTakeFastPath(
  context: KeyContext,
  { skill, input, billing, credential }: PreparedCall,
): boolean {
  return (
    skill.takesFastPath?.(input) === true &&
    billing === 'personal' &&
    credential === null &&
    !context.wantsEvents &&
    context.waitSeconds !== 0 &&
    context.cancelSignal === undefined &&
    !context.runtime.fastPathBackoff.has(context.actor.keyId)
  );
}

/**
 * Fast path: runs the call first, then admits, charges and records it in one statement. If the call
 * is refused, its result is discarded (docs/decisions/0032).
 * @returns null if the fast path rejected it: nothing was written, and the regular path reports why
 * @throws CallFailure if the tool failed or rejected the input
 */
export async function runFastPath(context: KeyContext, ready: PreparedCall): Promise<CallResult | null> {
  const { runtime } = context;
  const begunMs = Date.now();
  const call: AdmittedCall = Object.assign(
    { availableAfterHold: 0n, storesResponse: false, resumed: false, quote: ready.quote },
    ready,
  );
  const { observer } = runtime;
  const attempt = await observer.span('gateway.call.attempt', spanOptions(call), () =>
    executeFastPath(runtime, call),
  );
  const priced = priceAttempt(runtime, call, attempt, false);
  const request = toFastPathRequest(call, priced, begunMs);
  const settled = await observer.span('gateway.call.settle', {}, () => commit(context, request));
  if (!settled) {
    runtime.fastPathBackoff.add(call.keyId);
    return null;
  }
  Object.assign(context.reply.headers, callRateHeaders(settled.windows, runtime.quotas));
  resolveWaitMs(context);
  countOutcome(runtime, call, priced);
  if (priced.attempt.ok) return toSuccessResult(runtime, call, priced.attempt, priced, settled.available);
  const { code, cause } = priced.attempt;
  if (isToolFailure(code)) {
    const { id: callId, tool, skill, accountId, keyId } = call;
    const { requestId } = context;
    const names = { tool: tool.name, skill: skill.name };
    runtime.log.warn('tool.failed', { requestId, callId, accountId, keyId, ...names, error: cause });
  }
  throw callFailure(priced.attempt, call.skill);
}

function executeFastPath(runtime: Runtime, call: AdmittedCall): Promise<Attempt> {
  return attemptCall(call.skill, {
    input: call.input,
    deadlineMs: runtime.settings.handlerTimeoutSeconds * 1000,
    services: new CallServices(runtime, call),
    caller: call.caller,
  });
}

function spanOptions({ id, tool, skill }: AdmittedCall) {
  return {
    attributes: { 'gateway.call.id': id, 'gateway.tool': tool.name, 'gateway.skill': skill.name },
    failure: (attempt: Attempt) => (attempt.ok ? null : attempt.code),
  };
}

function countOutcome(
  { observer }: Pick<Runtime, 'observer'>,
  call: AdmittedCall,
  { attempt, cost }: Priced,
): void {
  observer.callEnded({
    tool: call.tool.name,
    outcome: getOutcome(attempt),
    mode: 'request',
    latencyMs: attempt.latencyMs,
    chargedMicrousd: cost.markup + cost.raw,
    byok: false,
  });
}

function toFastPathRequest(call: AdmittedCall, { attempt, cost }: Priced, begunMs: number): FastPathRequest {
  return {
    id: call.id,
    keyId: call.keyId,
    accountId: call.accountId,
    tool: call.tool.name,
    skill: call.skill.name,
    hold: sumCost(call.quote),
    markup: cost.markup,
    raw: cost.raw,
    errorCode: attempt.ok ? null : attempt.code,
    latencyMs: attempt.latencyMs,
    begunMs,
  };
}

async function commit(context: KeyContext, request: FastPathRequest): Promise<FastPathResult | null> {
  const { running, flush } = context.runtime;
  running.opensInFlight++;
  try {
    return await flush.commitFastPath(request).catch((error) => retryCommit(context, request, error));
  } finally {
    running.opensInFlight--;
  }
}

/**
 * Checks whether the statement was committed before sending it again, and once more afterwards: an
 * earlier send may commit between the check and the retry. A sent call never takes the regular
 * path, because it could count twice.
 */
async function retryCommit(
  context: KeyContext,
  request: FastPathRequest,
  lost: unknown,
): Promise<FastPathResult> {
  const { flush } = context.runtime;
  let error = lost;
  for (let attempt = 1; attempt < ATTEMPTS; attempt++) {
    await wait(flush.retryMs * 2 ** (attempt - 1));
    try {
      const settled =
        (await findCommitted(context, request)) ??
        (await flush.commitFastPath(request)) ??
        (await findCommitted(context, request));
      if (settled) return settled;
    } catch (again) {
      error = again;
    }
  }
  throw error;
}

async function findCommitted(
  { runtime, actor }: KeyContext,
  request: FastPathRequest,
): Promise<FastPathResult | null> {
  const known = await findCommittedCall(runtime.sql, request);
  const key = known && (await runtime.flush.resolveKey(actor.keyHash));
  return key ? { available: known.available ?? 0n, windows: key.windows } : null;
}
