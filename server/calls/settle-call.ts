import { setTimeout as wait } from 'node:timers/promises';
import { callRateHeaders } from '../core/limits/rate-headers';
import type { Runtime } from '../core/runtime';
import type { KeyContext } from '../core/trpc/context';
import { type Attempt, attemptCall } from './attempt-call';
import { waitMsOf } from './begin-call';
import { callFailure, isToolFailure, outcomeOf } from './call-failure';
import { type Priced, priceAttempt, successOf } from './call-result';
import { CallServices } from './call-services';
import type { OpenedCall, ReadyCall } from './open-call';
import { total } from './price-call';
import type { CallResult } from './result/schema';
import { findSettled, type Settled, type SettleRequest } from './settle-store';

/** A statement with a lost response is retried: it counts once. */
const ATTEMPTS = 5;

/**
 * Whether a call may take the fast path: its skill computes at once, uses no provider, and the
 * account of the key pays.
 */
export function isInstant(context: KeyContext, { skill, input, billing, credential }: ReadyCall): boolean {
  return (
    skill.instant?.(input) === true &&
    billing === 'personal' &&
    credential === null &&
    !context.wantsEvents &&
    context.waitSeconds !== 0 &&
    context.cancelSignal === undefined &&
    !context.runtime.unfitKeys.has(context.actor.keyId)
  );
}

/**
 * Fast path: runs the call first, then admits, charges and records it in one statement. If the call
 * is refused, its result is discarded (docs/decisions/0032).
 * @returns null if the fast path rejected it: nothing was written, and the regular path reports why
 * @throws CallFailure if the tool failed or rejected the input
 */
export async function settleCall(context: KeyContext, ready: ReadyCall): Promise<CallResult | null> {
  const { runtime } = context;
  const begunMs = Date.now();
  const call: OpenedCall = Object.assign(
    { availableAfterHold: 0n, kept: false, resumed: false, quote: ready.quote },
    ready,
  );
  const { tracing } = runtime.observer;
  const attempt = tracing
    ? await tracing.span('gateway.call.attempt', spanOptions(call), () => attemptInstant(runtime, call))
    : await attemptInstant(runtime, call);
  const priced = priceAttempt(runtime, call, attempt, false);
  const request = requestOf(call, priced, begunMs);
  const settled = tracing
    ? await tracing.span('gateway.call.settle', {}, () => settle(context, request))
    : await settle(context, request);
  if (!settled) {
    runtime.unfitKeys.add(call.keyId);
    return null;
  }
  Object.assign(context.reply.headers, callRateHeaders(settled.windows, runtime.quotas));
  waitMsOf(context);
  count(runtime, call, priced);
  if (priced.attempt.ok) return successOf(runtime, call, priced.attempt, priced, settled.available);
  const { code, cause } = priced.attempt;
  if (isToolFailure(code)) {
    const { id: callId, tool, skill, accountId, keyId } = call;
    const { requestId } = context;
    const names = { tool: tool.name, skill: skill.name };
    runtime.log.warn('tool.failed', { requestId, callId, accountId, keyId, ...names, error: cause });
  }
  throw callFailure(priced.attempt, call.skill);
}

function attemptInstant(runtime: Runtime, call: OpenedCall): Promise<Attempt> {
  return attemptCall(call.skill, {
    input: call.input,
    deadlineMs: runtime.settings.handlerTimeoutSeconds * 1000,
    services: new CallServices(runtime, call),
    caller: call.caller,
  });
}

function spanOptions({ id, tool, skill }: OpenedCall) {
  return {
    attributes: { 'gateway.call.id': id, 'gateway.tool': tool.name, 'gateway.skill': skill.name },
    failure: (attempt: Attempt) => (attempt.ok ? null : attempt.code),
  };
}

function count({ observer }: Runtime, call: OpenedCall, { attempt, cost }: Priced): void {
  observer.callEnded({
    tool: call.tool.name,
    outcome: outcomeOf(attempt),
    mode: 'request',
    latencyMs: attempt.latencyMs,
    chargedMicrousd: cost.markup + cost.raw,
    byok: false,
  });
}

function requestOf(call: OpenedCall, { attempt, cost }: Priced, begunMs: number): SettleRequest {
  return {
    id: call.id,
    keyId: call.keyId,
    accountId: call.accountId,
    tool: call.tool.name,
    skill: call.skill.name,
    hold: total(call.quote),
    markup: cost.markup,
    raw: cost.raw,
    errorCode: attempt.ok ? null : attempt.code,
    latencyMs: attempt.latencyMs,
    begunMs,
  };
}

async function settle(context: KeyContext, request: SettleRequest): Promise<Settled | null> {
  const { running, flush } = context.runtime;
  // From here the call may be committed: it must not be repeated under a new call id.
  context.reply.keyConfirmed = true;
  running.opening++;
  try {
    return await flush.settleCall(request).catch((error) => settleAgain(context, request, error));
  } finally {
    running.opening--;
  }
}

/**
 * Checks whether the statement was committed before sending it again, and once more afterwards: an
 * earlier send may commit between the check and the retry. A sent call never takes the regular
 * path, because it could count twice.
 */
async function settleAgain(context: KeyContext, request: SettleRequest, lost: unknown): Promise<Settled> {
  const { flush } = context.runtime;
  let error = lost;
  for (let attempt = 1; attempt < ATTEMPTS; attempt++) {
    await wait(flush.retryMs * 2 ** (attempt - 1));
    try {
      const settled =
        (await lookUp(context, request)) ??
        (await flush.settleCall(request)) ??
        (await lookUp(context, request));
      if (settled) return settled;
    } catch (again) {
      error = again;
    }
  }
  throw error;
}

async function lookUp({ runtime, actor }: KeyContext, request: SettleRequest): Promise<Settled | null> {
  const known = await findSettled(runtime.sql, request);
  const key = known && (await runtime.flush.resolveKey(actor.keyHash));
  return key ? { available: known.available ?? 0n, windows: key.windows } : null;
}
