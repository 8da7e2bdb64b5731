import type { RequestLease } from '../../core/idempotency/run-once';
import { findStoredResponse } from '../../core/idempotency/store';
import { limitQuotas } from '../../core/limits/key-rules';
import { callRateHeaders } from '../../core/limits/rate-headers';
import type { WindowState } from '../../core/limits/windows';
import type { Runtime } from '../../core/runtime';
import type { KeyContext } from '../../core/trpc/context';
import { retryLost } from '../../kit/retry-lost';
import { type AdmittedCall, type admitOnce, type RefusedCall, toAdmitRequest } from '../admission/admit-call';
import { AdmissionGate } from '../execution/admission-gate';
import type { Attempt } from '../execution/attempt-call';
import { CallAttempt } from '../execution/call-attempt';
import type { CallOutcome } from '../execution/call-run';
import type { FileDisposition } from '../execution/call-services';
import { toJobId } from '../jobs/job-ids';
import type { PreparedCall } from '../prepare/prepare-call';
import { sumCost } from '../prepare/price-call';
import { callFailure } from '../settlement/call-failure';
import { toSuccessResult } from '../settlement/describe-result';
import { type Priced, priceAttempt, reportEnded, toSettlement } from '../settlement/price-attempt';
import type { CommitBarrier } from './commit-barrier';
import { type CommitRequest, type CommitResult, type EndedJob, findCommittedCall } from './commit-store';

/** An attempt that takes longer is admitted while it runs. */
const MAX_UNADMITTED_MS = 50;
/** The response of an element waits for the others anyway, and its own process delays it. */
const MAX_UNADMITTED_IN_BATCH_MS = 200;
/** Created once, because collecting a stack for each call is slow. */
const CALL_ENDED = new Error('The call has ended');

/** A call that ran first and is charged and recorded. */
export interface EndedFirst {
  outcome: CallOutcome;
  /** The rate windows of its key after it. */
  windows: WindowState;
}

/** How it ended, or the attempt that is still to be admitted. */
type RunFirstEnd = EndedFirst | { attempt: CallAttempt };

/** A call that was admitted, maybe while it ran. */
interface AdmittedLater {
  admitted: AdmittedCall;
  /** If it has begun. */
  attempt?: CallAttempt;
}

/** How a call ended that ran first, or what its admission decided. */
export type RunOrAdmission = EndedFirst | AdmittedLater | RefusedCall;

interface RunOptions {
  admit: typeof admitOnce;
  /** The call is recorded with its ended job, unless jobs are off. One with a log is admitted. */
  streamed?: boolean;
  /** Of an element of a batch: those that run at once are committed at once. */
  siblings?: CommitBarrier;
}

/**
 * Runs a call before it is admitted, if it may: its skill only reads, it uses no provider key, the
 * account of the key pays, and the key was well within its limits moments ago. Otherwise admits it.
 * @throws whatever `admit` throws
 */
export async function runFirstOrAdmit(
  context: KeyContext,
  call: PreparedCall,
  lease: RequestLease | null,
  options: RunOptions,
): Promise<RunOrAdmission> {
  const endCount = tryBeginFirst(context, call, options.siblings);
  let attempt: CallAttempt | undefined;
  try {
    const end = endCount && (await runFirst(context, call, lease, options));
    if (end && 'outcome' in end) return end;
    attempt = end?.attempt;
    const admitted = await options.admit(context, call, lease);
    if (!('refused' in admitted)) return attempt ? { admitted, attempt } : { admitted };
    if (attempt) discardAttempt(context.runtime, attempt);
    return admitted;
  } catch (error) {
    if (attempt) discardAttempt(context.runtime, attempt);
    throw error;
  } finally {
    endCount?.();
  }
}

/** Returns a function that ends the count of the call; null if it must be admitted first. */
function tryBeginFirst(
  context: KeyContext,
  call: PreparedCall,
  siblings: CommitBarrier | undefined,
): (() => void) | null {
  const { billing, credential, queued, keyId, skill, quote, rules } = call;
  const mayRunFirst =
    skill.annotations.readOnly &&
    billing === 'personal' &&
    credential === null &&
    !queued &&
    context.waitSeconds !== 0;
  return mayRunFirst
    ? context.runtime.keyStates.tryBegin(keyId, sumCost(quote), rules, siblings?.left)
    : null;
}

/**
 * Runs the call, then admits, charges and records it in one statement. If the call is refused, its
 * result is discarded (docs/decisions/0032). An attempt that has not ended in time, or that the
 * statement did not admit, is returned: it counts only if it is admitted afterwards.
 */
async function runFirst(
  context: KeyContext,
  call: PreparedCall,
  lease: RequestLease | null,
  { streamed = false, siblings }: RunOptions,
): Promise<RunFirstEnd> {
  const { runtime } = context;
  const asJob = streamed && runtime.settings.jobs !== 'off';
  const startedMs = Date.now();
  const gate = new AdmissionGate();
  const attempt = new CallAttempt(runtime, call, { gate });
  runtime.running.opensInFlight++;
  siblings?.enter();
  let waits = siblings !== undefined;
  try {
    const withinMs = siblings ? MAX_UNADMITTED_IN_BATCH_MS : MAX_UNADMITTED_MS;
    const made = await untilSlow(attempt, withinMs, context.cancelSignal?.());
    if (!made) return { attempt };
    const priced = priceAttempt(runtime, call, made, false);
    // A failure is stored when it is admitted, where it is known whether its key is released.
    if (lease && !priced.attempt.ok) return { attempt };
    // The statement stores no log.
    if (streamed && (attempt.log.lines.length > 0 || attempt.log.progress !== null)) return { attempt };
    waits = false;
    await siblings?.leave();
    const committed = await commitOnce(context, call, priced, { startedMs, lease, asJob });
    if (!committed) return { attempt };
    endServices(runtime, attempt, priced.attempt.ok ? 'keep' : 'discard');
    runtime.callContents.record(call, priced.attempt, attempt.log);
    const { windows } = committed;
    return { outcome: report(context, call, priced, { ...committed, asJob }), windows };
  } finally {
    if (waits) void siblings?.leave();
    runtime.running.opensInFlight--;
  }
}

interface CommitOptions {
  startedMs: number;
  /** Of the request's Idempotency-Key: the statement also stores the response. */
  lease: RequestLease | null;
  /** The call is recorded with its ended job. */
  asJob: boolean;
}

/** Null if the statement does not admit the call; the next calls of its key are admitted first. */
async function commitOnce(
  context: KeyContext,
  call: PreparedCall,
  priced: Priced,
  { startedMs, lease, asJob }: CommitOptions,
): Promise<CommitResult | null> {
  const { runtime } = context;
  const { attempt } = priced;
  const isStored = attempt.ok && (asJob || lease !== null);
  const reply = isStored ? JSON.stringify(toSuccessResult(runtime, call, attempt, priced, 0n)) : null;
  const record = lease && reply ? { ...lease.record, reply } : null;
  const job = asJob ? toEndedJob(call, attempt, reply) : null;
  const request: CommitRequest = {
    startedMs,
    ...toAdmitRequest(context, call, true),
    ...toSettlement(runtime, call, priced),
    record,
    job,
  };
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
  attempt: CallAttempt,
  withinMs: number,
  cancelled: AbortSignal | undefined,
): Promise<Attempt | null> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(null), withinMs);
    attempt.gate?.onAsked(() => resolve(null));
    cancelled?.addEventListener('abort', () => resolve(null), { once: true });
    void attempt.run().then((made) => {
      clearTimeout(timer);
      resolve(made);
    });
  });
}

/** Stops an attempt whose call was refused, and removes what it saved: its result is never used. */
function discardAttempt(runtime: Pick<Runtime, 'log'>, attempt: CallAttempt): void {
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

function toEndedJob(
  { id, skill, webhookUrl }: PreparedCall,
  attempt: Attempt,
  result: string | null,
): EndedJob {
  const error = attempt.ok ? null : attempt.message;
  return { id: toJobId(id), rerunnable: skill.annotations.idempotent, webhookUrl, result, error };
}

/** Reports a committed call to what counts calls and limits. Returns its outcome. */
function report(
  context: KeyContext,
  call: PreparedCall,
  priced: Priced,
  { available, windows, asJob }: CommitResult & { asJob: boolean },
): CallOutcome {
  const { runtime, requestId, reply } = context;
  runtime.keyStates.report(call.keyId, available, windows);
  Object.assign(reply.headers, callRateHeaders(windows, limitQuotas(runtime.quotas, call.rules)));
  reportEnded(runtime, call, priced, { requestId, isJob: asJob });
  const { attempt } = priced;
  if (attempt.ok) return { ok: true, result: toSuccessResult(runtime, call, attempt, priced, available) };
  return { ok: false, error: callFailure(call.id, attempt, call.skill) };
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
