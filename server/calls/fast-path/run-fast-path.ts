import { setTimeout as wait } from 'node:timers/promises';
import { toStoredRequestId } from '../../core/http/call-request-id';
import { findStoredBalance } from '../../core/idempotency/find-stored-balance';
import type { RequestLease, ResponseRecord } from '../../core/idempotency/run-once';
import { toStoredAddress } from '../../core/limits/client-address';
import { limitQuotas } from '../../core/limits/key-rules';
import { callRateHeaders } from '../../core/limits/rate-headers';
import type { Runtime } from '../../core/runtime';
import type { KeyContext } from '../../core/trpc/context';
import { recordContent } from '../contents/record-content';
import { AdmissionGate } from '../execution/admission-gate';
import type { Attempt } from '../execution/attempt-call';
import { CallAttempt } from '../execution/call-attempt';
import type { FileDisposition } from '../execution/call-services';
import { resolveWaitMs } from '../execution/start-call';
import type { PreparedCall } from '../prepare/prepare-call';
import { sumCost } from '../prepare/price-call';
import type { CallResult } from '../result/schema';
import { callFailure, getOutcome, isToolFailure } from '../settlement/call-failure';
import { type Priced, priceAttempt, toSuccessResult } from '../settlement/price-attempt';
import {
  type FastPathRequest,
  type FastPathResult,
  findCommittedCall,
  type KeptResponse,
} from './fast-path-store';

/** A statement with a lost response is retried: it counts once. */
const ATTEMPTS = 5;
/** An attempt that takes longer is admitted by the regular path while it runs. */
const MAX_EARLY_MS = 50;
/** Created once, because collecting a stack for each call is slow. */
const CALL_ENDED = new Error('The call has ended');

/** How the fast path ended: with the result of the call, or with an attempt to be admitted. */
export type FastPathEnd = { result: CallResult } | { attempt: CallAttempt };

/**
 * Starts a call before it is admitted, if it may take the fast path: its skill computes at once
 * (`takesFastPath`) or only reads, it uses no provider key, and the account of the key pays. A
 * skill that only reads also needs a key that was well within its limits moments ago.
 * @returns null if the call must be admitted first
 */
export function tryStartEarly(context: KeyContext, call: PreparedCall): EarlyCall | null {
  if (!maySkipAdmission(context, call)) return null;
  const { skill, input, keyId } = call;
  if (skill.takesFastPath?.(input) === true) return { call, end: null };
  if (!skill.annotations.readOnly) return null;
  const end = context.runtime.earlyCalls.tryBegin(keyId, sumCost(call.quote), call.rules);
  return end && { call, end };
}

function maySkipAdmission(
  context: KeyContext,
  { billing, credential, queued, keyId }: PreparedCall,
): boolean {
  return (
    billing === 'personal' &&
    credential === null &&
    !queued &&
    !context.wantsEvents &&
    context.waitSeconds !== 0 &&
    context.cancelSignal === undefined &&
    !context.runtime.fastPathBackoff.has(keyId)
  );
}

/** A call that may start before it is admitted. */
export interface EarlyCall {
  call: PreparedCall;
  /** Ends its count in the process, after its admission; null if it only computes. */
  end: (() => void) | null;
}

/**
 * Fast path: runs the call first, then admits, charges and records it in one statement. If the call
 * is refused, its result is discarded (docs/decisions/0032). An attempt that has not ended in time,
 * or that the statement did not admit, is returned: it counts only if the regular path admits it.
 * @param lease of the request's Idempotency-Key: the statement also stores the response
 * @throws CallFailure if the tool failed or rejected the input
 */
export async function runFastPath(
  context: KeyContext,
  { call, end }: EarlyCall,
  lease: RequestLease | null,
): Promise<FastPathEnd> {
  const { runtime } = context;
  const begunMs = Date.now();
  const gate = end ? new AdmissionGate() : undefined;
  const attempt = new CallAttempt(runtime, call, { gate });
  runtime.running.opensInFlight++;
  try {
    const made = await (gate ? untilSlow(attempt.run(), gate) : attempt.run());
    if (!made) return { attempt };
    const priced = priceAttempt(runtime, call, made, false);
    // A failure is stored by the regular path, which knows whether its key is released.
    if (lease && !priced.attempt.ok) return { attempt };
    const settled = await settle(context, call, priced, { begunMs, record: lease?.record, lease });
    if (!settled) return { attempt };
    endServices(runtime, attempt, priced.attempt.ok ? 'keep' : 'discard');
    recordContent(runtime, call, priced.attempt, attempt.log);
    return { result: respond(context, call, priced, settled) };
  } finally {
    runtime.running.opensInFlight--;
  }
}

/**
 * Fast path of a call that only computes and has a new Idempotency-Key: the statement that admits,
 * charges and records it also stores its response under the key.
 * @returns null if the record must be acquired first: it does not only compute, the tool failed,
 *   the call was refused, or the key is in use
 */
export async function tryKeptFastPath(
  context: KeyContext,
  call: PreparedCall,
  record: ResponseRecord,
): Promise<CallResult | null> {
  const { runtime } = context;
  if (!maySkipAdmission(context, call) || call.skill.takesFastPath?.(call.input) !== true) return null;
  const begunMs = Date.now();
  runtime.running.opensInFlight++;
  try {
    const attempt = new CallAttempt(runtime, call);
    const priced = priceAttempt(runtime, call, await attempt.run(), false);
    if (!priced.attempt.ok) return null;
    const settled = await settle(context, call, priced, { begunMs, record, lease: null });
    if (!settled) return null;
    recordContent(runtime, call, priced.attempt, attempt.log);
    return respond(context, call, priced, settled);
  } finally {
    runtime.running.opensInFlight--;
  }
}

interface SettleOptions {
  begunMs: number;
  record: ResponseRecord | undefined;
  lease: RequestLease | null;
}

/** Null if the statement does not admit the call; its key then skips the fast path for a second. */
async function settle(
  context: KeyContext,
  call: PreparedCall,
  priced: Priced,
  { begunMs, record, lease }: SettleOptions,
): Promise<FastPathResult | null> {
  const { runtime } = context;
  const { attempt } = priced;
  const reply = record && attempt.ok ? toSuccessResult(runtime, call, attempt, priced, 0n) : null;
  const kept = record && reply ? { ...record, reply: JSON.stringify(reply) } : null;
  const request = toFastPathRequest(context, call, priced, { begunMs, kept });
  // Set before the statement: if its response is lost, the call may be charged.
  if (lease) lease.started = true;
  const settled = await runtime.observer.span('gateway.call.settle', {}, () => commit(context, request));
  if (settled) return settled;
  if (lease) lease.started = false;
  runtime.fastPathBackoff.add(call.keyId);
  return null;
}

/** Resolves to null if the attempt takes longer, or needs its admission to go on. */
function untilSlow(attempt: Promise<Attempt>, gate: AdmissionGate): Promise<Attempt | null> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(null), MAX_EARLY_MS);
    gate.onAsked(() => resolve(null));
    attempt.finally(() => clearTimeout(timer)).then(resolve, reject);
  });
}

/** Stops an attempt whose call was refused, and removes what it saved: its result is never used. */
export function discardAttempt(runtime: Pick<Runtime, 'log'>, attempt: CallAttempt): void {
  const refusal = new Error('The call was refused');
  attempt.gate?.refuse(refusal);
  attempt.stop.stop(refusal);
  void attempt.run().then(() => endServices(runtime, attempt, 'discard'));
}

function endServices(
  { log }: Pick<Runtime, 'log'>,
  { callId, gate, services }: CallAttempt,
  left: FileDisposition,
): void {
  gate?.refuse(CALL_ENDED);
  services.end(left).catch((error) => log.warn('call.files_cleanup_failed', { callId, error }));
}

/** The response to a committed call. */
function respond(
  context: KeyContext,
  call: PreparedCall,
  priced: Priced,
  settled: FastPathResult,
): CallResult {
  const { runtime, requestId, reply } = context;
  runtime.earlyCalls.report(call.keyId, settled.available, settled.windows);
  Object.assign(reply.headers, callRateHeaders(settled.windows, limitQuotas(runtime.quotas, call.rules)));
  resolveWaitMs(context);
  countOutcome(runtime, call, priced);
  if (priced.attempt.ok) return toSuccessResult(runtime, call, priced.attempt, priced, settled.available);
  const { code, cause } = priced.attempt;
  if (isToolFailure(code)) {
    const { id: callId, tool, skill, accountId, keyId } = call;
    const names = { tool: tool.name, skill: skill.name };
    runtime.log.warn('tool.failed', { requestId, callId, accountId, keyId, ...names, error: cause });
  }
  throw callFailure(priced.attempt, call.skill);
}
function countOutcome(
  { observer }: Pick<Runtime, 'observer'>,
  call: PreparedCall,
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

function toFastPathRequest(
  { requestId, clientIp }: Pick<KeyContext, 'requestId' | 'clientIp'>,
  call: PreparedCall,
  { attempt, cost }: Priced,
  { begunMs, kept }: { begunMs: number; kept: KeptResponse | null },
): FastPathRequest {
  return {
    id: call.id,
    keyId: call.keyId,
    accountId: call.accountId,
    tool: call.tool.name,
    skill: call.skill.name,
    rulesVersion: call.rulesVersion,
    hold: sumCost(call.quote),
    markup: cost.markup,
    raw: cost.raw,
    errorCode: attempt.ok ? null : attempt.code,
    latencyMs: attempt.latencyMs,
    begunMs,
    requestId: toStoredRequestId(requestId, call.id),
    clientAddress: toStoredAddress(clientIp),
    kept,
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
  if (!known) return null;
  // The balance may have changed since, and an Idempotency-Key has one response.
  const stored = request.kept && (await findStoredBalance(runtime, request.id));
  const key = await runtime.flush.resolveKey(actor.keyHash);
  return key && { available: stored ?? known.available ?? 0n, windows: key.windows };
}
