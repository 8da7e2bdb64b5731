import { toStoredRequestId } from '../../core/http/call-request-id';
import type { RequestLease } from '../../core/idempotency/run-once';
import { findStoredResponse } from '../../core/idempotency/store';
import { toStoredAddress } from '../../core/limits/client-address';
import { limitQuotas } from '../../core/limits/key-rules';
import { callRateHeaders } from '../../core/limits/rate-headers';
import type { Runtime } from '../../core/runtime';
import type { KeyContext } from '../../core/trpc/context';
import { retryLost } from '../../kit/retry-lost';
import { AdmissionGate } from '../execution/admission-gate';
import type { Attempt } from '../execution/attempt-call';
import { CallAttempt } from '../execution/call-attempt';
import type { FileDisposition } from '../execution/call-services';
import { confirmWait } from '../execution/start-call';
import type { PreparedCall } from '../prepare/prepare-call';
import { sumCost } from '../prepare/price-call';
import type { CallResult } from '../result/schema';
import { callFailure, getOutcome, isToolFailure } from '../settlement/call-failure';
import { toSuccessResult } from '../settlement/describe-result';
import { type Priced, priceAttempt } from '../settlement/price-attempt';
import {
  type CommitRequest,
  type CommitResult,
  findCommittedCall,
  type RecordedResponse,
} from './commit-store';

/** An attempt that takes longer is admitted while it runs. */
const MAX_UNADMITTED_MS = 50;
/** Created once, because collecting a stack for each call is slow. */
const CALL_ENDED = new Error('The call has ended');

/** How it ended: with the result of the call, or with an attempt that is still to be admitted. */
type RunFirstEnd = { result: CallResult } | { attempt: CallAttempt };

/**
 * Runs a call before it is admitted, if it may: its skill only reads, it uses no provider key, the
 * account of the key pays, and the key was well within its limits moments ago.
 * @param admit admits the call otherwise, or starts to wait for it; with the attempt, if one has
 *   begun, which it discards if the call is refused
 * @throws CallFailure if the tool failed or rejected the input; whatever `admit` throws
 */
export async function runFirstOrAdmit<Admitted>(
  context: KeyContext,
  call: PreparedCall,
  lease: RequestLease | null,
  admit: (attempt?: CallAttempt) => Promise<Admitted>,
): Promise<{ result: CallResult } | Admitted> {
  const endCount = tryBeginFirst(context, call);
  if (!endCount) return await admit();
  try {
    const end = await runFirst(context, call, lease);
    if ('result' in end) return end;
    const { attempt } = end;
    return await admit(attempt).catch((error) => {
      discardAttempt(context.runtime, attempt);
      throw error;
    });
  } finally {
    endCount();
  }
}

/** Returns a function that ends the count of the call; null if it must be admitted first. */
function tryBeginFirst(context: KeyContext, call: PreparedCall): (() => void) | null {
  const { billing, credential, queued, keyId, skill, quote, rules } = call;
  const mayRunFirst =
    skill.annotations.readOnly &&
    billing === 'personal' &&
    credential === null &&
    !queued &&
    context.waitSeconds !== 0;
  return mayRunFirst ? context.runtime.keyStates.tryBegin(keyId, sumCost(quote), rules) : null;
}

/**
 * Runs the call, then admits, charges and records it in one statement. If the call is refused, its
 * result is discarded (docs/decisions/0032). An attempt that has not ended in time, or that the
 * statement did not admit, is returned: it counts only if it is admitted afterwards.
 * @param lease of the request's Idempotency-Key: the statement also stores the response
 * @throws CallFailure if the tool failed or rejected the input
 */
async function runFirst(
  context: KeyContext,
  call: PreparedCall,
  lease: RequestLease | null,
): Promise<RunFirstEnd> {
  const { runtime } = context;
  const startedMs = Date.now();
  const gate = new AdmissionGate();
  const attempt = new CallAttempt(runtime, call, { gate });
  runtime.running.opensInFlight++;
  try {
    const made = await untilSlow(attempt.run(), gate, context.cancelSignal?.());
    if (!made) return { attempt };
    const priced = priceAttempt(runtime, call, made, false);
    // A failure is stored when it is admitted, where it is known whether its key is released.
    if (lease && !priced.attempt.ok) return { attempt };
    const committed = await commitOnce(context, call, priced, { startedMs, lease });
    if (!committed) return { attempt };
    endServices(runtime, attempt, priced.attempt.ok ? 'keep' : 'discard');
    runtime.callContents.record(call, priced.attempt, attempt.log);
    return { result: respond(context, call, priced, committed) };
  } finally {
    runtime.running.opensInFlight--;
  }
}

interface CommitOptions {
  startedMs: number;
  lease: RequestLease | null;
}

/** Null if the statement does not admit the call; the next calls of its key are admitted first. */
async function commitOnce(
  context: KeyContext,
  call: PreparedCall,
  priced: Priced,
  { startedMs, lease }: CommitOptions,
): Promise<CommitResult | null> {
  const { runtime } = context;
  const { attempt } = priced;
  const reply = lease?.record && attempt.ok ? toSuccessResult(runtime, call, attempt, priced, 0n) : null;
  const record = lease?.record && reply ? { ...lease.record, reply: JSON.stringify(reply) } : null;
  const request = toCommitRequest(context, call, priced, { startedMs, record });
  const committed = await runtime.observer.span('gateway.call.commit', {}, () => commit(context, request));
  if (committed) return committed;
  runtime.keyStates.forget(call.keyId);
  return null;
}

/**
 * Resolves to null if the attempt takes longer, needs its admission to go on, or is cancelled: only
 * an admitted call is recorded as cancelled.
 */
function untilSlow(
  attempt: Promise<Attempt>,
  gate: AdmissionGate,
  cancelled: AbortSignal | undefined,
): Promise<Attempt | null> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(null), MAX_UNADMITTED_MS);
    gate.onAsked(() => resolve(null));
    cancelled?.addEventListener('abort', () => resolve(null), { once: true });
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
  committed: CommitResult,
): CallResult {
  const { runtime, requestId, reply } = context;
  runtime.keyStates.report(call.keyId, committed.available, committed.windows);
  Object.assign(reply.headers, callRateHeaders(committed.windows, limitQuotas(runtime.quotas, call.rules)));
  confirmWait(context);
  countOutcome(runtime, call, priced);
  if (priced.attempt.ok) return toSuccessResult(runtime, call, priced.attempt, priced, committed.available);
  const { code, cause } = priced.attempt;
  if (isToolFailure(code)) {
    const { id: callId, tool, skill, accountId, keyId } = call;
    const names = { tool: tool.name, skill: skill.name };
    runtime.log.warn('tool.failed', { requestId, callId, accountId, keyId, ...names, error: cause });
  }
  throw callFailure(call.id, priced.attempt, call.skill);
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

function toCommitRequest(
  { runtime, requestId, clientIp }: Pick<KeyContext, 'runtime' | 'requestId' | 'clientIp'>,
  call: PreparedCall,
  { attempt, cost }: Priced,
  { startedMs, record }: { startedMs: number; record: RecordedResponse | null },
): CommitRequest {
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
    errorMessage: attempt.ok ? undefined : attempt.message,
    sealsMessage: !attempt.ok && runtime.callContents.wants(call.accountId),
    latencyMs: attempt.latencyMs,
    startedMs,
    requestId: toStoredRequestId(requestId, call.id),
    clientAddress: toStoredAddress(clientIp),
    record,
  };
}

async function commit(context: KeyContext, request: CommitRequest): Promise<CommitResult | null> {
  const { running, flush } = context.runtime;
  running.opensInFlight++;
  try {
    return await retryLost(
      (lost) => (lost ? commitAgain(context, request, lost.error) : flush.commitCall(request)),
      { retryMs: flush.retryMs },
    );
  } finally {
    running.opensInFlight--;
  }
}

/**
 * Checks whether the statement was committed before sending it again, and once more afterwards: an
 * earlier send may commit between the check and the retry. A sent call is never admitted in
 * another way, because it could count twice.
 */
async function commitAgain(
  context: KeyContext,
  request: CommitRequest,
  lost: unknown,
): Promise<CommitResult> {
  const committed =
    (await findCommitted(context, request)) ??
    (await context.runtime.flush.commitCall(request)) ??
    (await findCommitted(context, request));
  if (committed) return committed;
  throw lost;
}

async function findCommitted(
  { runtime, actor }: KeyContext,
  request: CommitRequest,
): Promise<CommitResult | null> {
  const known = await findCommittedCall(runtime.sql, request);
  if (!known) return null;
  // The balance may have changed since, and an Idempotency-Key has one response.
  const stored = request.record && (await findStoredResponse(runtime.sql, request.id));
  const key = await runtime.flush.resolveKey(actor.keyHash);
  return key && { available: stored?.available ?? known.available ?? 0n, windows: key.windows };
}
