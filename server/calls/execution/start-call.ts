import type { RequestEnd, RequestLease } from '../../core/idempotency/run-once';
import type { KeyContext } from '../../core/trpc/context';
import { resolveWithin } from '../../kit/resolve-within';
import type { AdmittedCall } from '../admission/admit-call';
import type { PreparedCall } from '../prepare/prepare-call';
import type { CallResult } from '../result/schema';
import type { RunOrAdmission } from '../run-first/run-first';
import { CallFailure } from '../settlement/call-failure';
import { toPendingResult } from '../settlement/describe-result';
import type { CallAttempt } from './call-attempt';
import { type CallOutcome, CallRun } from './call-run';
import { waitForQueuedCall } from './queued-call';

/** A started call, running here or in a worker, as seen by its request. */
export interface StartedCall {
  /**
   * Waits for the end of the call.
   * @param waitMs null waits without a limit
   * @returns null if the call still runs, or must be answered as a job anyway
   */
  endedWithin(waitMs: number | null): Promise<CallOutcome | null>;
  /**
   * Turns the call into a job.
   * @param pending the response to the request, stored if it has an Idempotency-Key
   * @returns false if the call has already ended: then its result is the response
   */
  becomeJob(pending: CallResult): Promise<boolean>;
}

/** Longer than any call can spend in the queue and running, over all attempts. */
export const MAX_QUEUED_MS = 4 * 3_600_000;

interface StartOptions {
  /** A job in state pending waits for this call. */
  hasPendingJob?: boolean;
  /** The attempt, if it was started before the call was admitted. */
  attempt?: CallAttempt | undefined;
}

/** Starts an admitted call, or waits for the worker that runs it. */
export function startCall(
  context: KeyContext,
  admitted: AdmittedCall,
  lease: RequestLease | null,
  options: StartOptions = {},
): StartedCall {
  if (admitted.queued) return followQueue(context, admitted, lease);
  return runHere(context, admitted, options);
}

function runHere(context: KeyContext, admitted: AdmittedCall, options: StartOptions): StartedCall {
  const { runtime, requestId } = context;
  const run = new CallRun(runtime, admitted, { requestId, ...options });
  runtime.running.cancelWithRequest(context, admitted, run);
  return {
    async endedWithin(waitMs) {
      const ended = await resolveWithin(run.ended, waitMs);
      return ended && (await run.mustAnswerPending()) ? null : ended;
    },
    becomeJob: (pending) => run.promote(pending),
  };
}

function followQueue(context: KeyContext, admitted: AdmittedCall, lease: RequestLease | null): StartedCall {
  context.runtime.running.cancelWithRequest(context, admitted, null);
  return {
    endedWithin: (waitMs) => waitForQueuedCall(context, admitted, waitMs ?? MAX_QUEUED_MS),
    // It has been a job from the start. If the response could not be stored, the call ended first,
    // or an account claim moved the idempotency record.
    becomeJob: async (pending) =>
      lease === null ||
      (await lease.save(context.runtime.db, { status: 202, body: pending })) ||
      (await waitForQueuedCall(context, admitted, 0)) === null,
  };
}

/** How long a request waits for its call, in milliseconds; null if jobs are off. Pure. */
export function resolveWaitMs({ runtime: { settings }, waitSeconds }: KeyContext): number | null {
  return settings.jobs === 'off' ? null : (waitSeconds ?? settings.waitSeconds) * 1000;
}

/** Sets `Preference-Applied` in the response to a client that sent a wait preference. */
export function confirmWait({ runtime, waitSeconds, preferenceApplied, reply }: KeyContext): void {
  if (runtime.settings.jobs !== 'off' && waitSeconds !== undefined)
    reply.headers['Preference-Applied'] = preferenceApplied ?? `wait=${waitSeconds}`;
}

/** How a request waits for its call. */
interface Waiting {
  /** Milliseconds; null waits without a limit. */
  waitMs: number | null;
  /** Start of the request, by `performance.now()`. */
  began: number;
}

/** Responds to the request of a call that ran first, was admitted, or was refused. */
export async function respondToRun(
  context: KeyContext,
  call: PreparedCall,
  lease: RequestLease | null,
  end: RunOrAdmission,
  waiting: Waiting,
): Promise<RequestEnd<CallResult>> {
  if ('refused' in end) return { error: end.error, record: 'release' };
  confirmWait(context);
  if ('outcome' in end) return { response: unwrapResult(end.outcome), record: 'keep' };
  const { admitted, attempt } = end;
  const started = startCall(context, admitted, lease, { attempt });
  return await respondToWaiting(context, call, started, waiting);
}

/**
 * Responds to a waiting request: with the result or failure, or with 202 if the call goes on as a
 * job. If the tool rejected the input, a corrected request can use its Idempotency-Key.
 */
export async function respondToWaiting(
  context: KeyContext,
  call: PreparedCall,
  started: StartedCall,
  waiting: Waiting,
): Promise<RequestEnd<CallResult>> {
  try {
    return { response: await respondWithinWait(context, call, started, waiting), record: 'keep' };
  } catch (error) {
    const isRefusal = error instanceof CallFailure && error.code !== 'HANDLER_ERROR';
    return { error, record: isRefusal ? 'drop' : 'keep' };
  }
}

async function respondWithinWait(
  context: KeyContext,
  call: PreparedCall,
  started: StartedCall,
  { waitMs, began }: Waiting,
): Promise<CallResult> {
  // With `wait=0` the response is always a job, even if a worker has already finished the call.
  const ended = waitMs === 0 ? null : await started.endedWithin(waitMs);
  if (ended) return unwrapResult(ended);
  const pending = toPendingResult(context.runtime, call, performance.now() - began);
  if (await started.becomeJob(pending)) return respondAccepted(context, pending);
  const late = await started.endedWithin(null);
  return late ? unwrapResult(late) : respondAccepted(context, pending);
}

/** @throws GatewayError the failure of the call */
function unwrapResult(ended: CallOutcome): CallResult {
  if (ended.ok) return ended.result;
  throw ended.error;
}

/** Sets status 202 and the Location of the job. */
export function respondAccepted({ reply }: KeyContext, pending: CallResult): CallResult {
  reply.status = 202;
  if (pending.poll_url) reply.headers.Location = pending.poll_url;
  return pending;
}
