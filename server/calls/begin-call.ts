import type { Claim } from '../core/idempotency/once';
import type { KeyContext } from '../core/trpc/context';
import { pendingOf } from './call-result';
import { CallRun, type Ended } from './call-run';
import { cancelWithRequest } from './cancel-with-request';
import type { OpenedCall, ReadyCall } from './open-call';
import { isQueued, queuedEnd } from './queued-call';
import type { CallResult } from './result/schema';

/** An opened call that runs now, here or in a worker, as the request that made it sees it. */
export interface BegunCall {
  /**
   * How it ended; null where it still runs after that time, or is answered as a job all the same.
   * @param waitMs null waits to the end
   */
  endedWithin(waitMs: number | null): Promise<Ended | null>;
  /**
   * Makes it a job.
   * @param pending what the request is told, kept where it has an Idempotency-Key
   * @returns false where it has ended meanwhile: then that is the answer
   */
  becomeJob(pending: CallResult): Promise<boolean>;
}

/** Longer than a call may wait in the queue and then run, over all its attempts. */
export const MAX_QUEUED_MS = 4 * 3_600_000;

/**
 * Sets an opened call going.
 * @param awaited a job waits for it
 */
export function beginCall(
  context: KeyContext,
  opened: OpenedCall,
  claim: Claim | null,
  awaited = false,
): BegunCall {
  if (isQueued(context.runtime, opened)) return followQueue(context, opened, claim);
  return runHere(context, opened, awaited);
}

function runHere(context: KeyContext, opened: OpenedCall, awaited: boolean): BegunCall {
  const { runtime, requestId } = context;
  const run = new CallRun(runtime, opened, { requestId, awaited });
  cancelWithRequest(context, opened, run);
  return {
    async endedWithin(waitMs) {
      const ended = await (waitMs === null ? run.ended : endedWithin(run, waitMs));
      return ended && (await run.mustAnswerPending()) ? null : ended;
    },
    becomeJob: (pending) => run.promote(pending),
  };
}

function followQueue(context: KeyContext, opened: OpenedCall, claim: Claim | null): BegunCall {
  cancelWithRequest(context, opened, null);
  return {
    endedWithin: (waitMs) => queuedEnd(context, opened, waitMs ?? MAX_QUEUED_MS),
    // A job it is from the start. Where nothing could be kept, its end came first, or a claim has
    // moved the record away.
    becomeJob: async (pending) =>
      claim === null ||
      (await claim.keep(context.runtime.db, { status: 202, body: pending })) ||
      (await queuedEnd(context, opened, 0)) === null,
  };
}

function endedWithin(run: CallRun, waitMs: number): Promise<Ended | null> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(null), waitMs);
    run.ended.then(
      (ended) => {
        clearTimeout(timer);
        resolve(ended);
      },
      (error) => {
        clearTimeout(timer);
        reject(error);
      },
    );
  });
}

/** How long a request waits for its call; null where calls do not become jobs. */
export function waitMsOf({ runtime, waitSeconds, preferenceApplied, reply }: KeyContext): number | null {
  if (runtime.settings.jobs === 'off') return null;
  if (waitSeconds === undefined) return runtime.settings.waitSeconds * 1000;
  reply.headers['Preference-Applied'] = preferenceApplied ?? `wait=${waitSeconds}`;
  return waitSeconds * 1000;
}

/**
 * The one answer to a request that waits: the result, or that it goes on as a job.
 * @throws GatewayError the failure of the call
 */
export async function answerBegun(
  context: KeyContext,
  ready: ReadyCall,
  begun: BegunCall,
  waitMs: number | null,
  began: number,
): Promise<CallResult> {
  // Who does not wait gets a job, also where a worker has ended the call by now.
  const ended = waitMs === 0 ? null : await begun.endedWithin(waitMs);
  if (ended) return resultOf(ended);
  const pending = pendingOf(context.runtime, ready, performance.now() - began);
  if (await begun.becomeJob(pending)) return accepted(context, pending);
  const late = await begun.endedWithin(null);
  return late ? resultOf(late) : accepted(context, pending);
}

function resultOf(ended: Ended): CallResult {
  if (ended.ok) return ended.result;
  throw ended.error;
}

/** 202, where the result will be, and nothing more. */
export function accepted({ reply }: KeyContext, pending: CallResult): CallResult {
  reply.status = 202;
  if (pending.poll_url) reply.headers.Location = pending.poll_url;
  return pending;
}
