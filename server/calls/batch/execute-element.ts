import { GatewayError } from '../../core/errors/gateway-error';
import { toGatewayError } from '../../core/errors/to-gateway-error';
import {
  createInProgress,
  type RequestEnd,
  type RequestLease,
  saveResponseOrThrow,
} from '../../core/idempotency/run-once';
import type { KeyContext } from '../../core/trpc/context';
import { resolveWithin } from '../../kit/resolve-within';
import { type AdmittedCall, admitCall, admitOnce } from '../admission/admit-call';
import { NO_SLOT } from '../admission/slot-queue';
import {
  confirmWait,
  resolveWaitMs,
  respondAccepted,
  respondToRun,
  respondToWaiting,
  type StartedCall,
  startCall,
} from '../execution/start-call';
import { failWaitingJob, insertWaitingJob } from '../jobs/queue-store';
import type { PreparedCall } from '../prepare/prepare-call';
import { recordRefusal } from '../refusals/record-refusal';
import type { CallResult } from '../result/schema';
import type { CommitBarrier } from '../run-first/commit-barrier';
import { runFirstOrAdmit } from '../run-first/run-first';
import { toPendingResult } from '../settlement/describe-result';

/** The longest time a call waits for a concurrency slot. */
const MAX_SLOT_WAIT_MS = 1_800_000;

/**
 * Runs one call of a batch. If its key has no free concurrency slot, the call waits in the queue of
 * the key while there is room. If the request would have to wait too long, the call becomes a
 * pending job until it gets a slot.
 * @param options.began start of the element, by `performance.now()`
 * @param options.siblings the elements that run with it
 */
export async function executeElement(
  context: KeyContext,
  call: PreparedCall,
  lease: RequestLease | null,
  { began, siblings }: { began: number; siblings: CommitBarrier },
): Promise<RequestEnd<CallResult>> {
  const waitMs = resolveWaitMs(context);
  confirmWait(context);
  const left = () => (waitMs === null ? null : Math.max(0, waitMs - (performance.now() - began)));
  const { slots } = context.runtime.running;
  if (!slots.hasWaiting(call.keyId) || !slots.hasRoom(call.keyId)) {
    const end = await runFirstOrAdmit(context, call, lease, { siblings, admit: admitOnce });
    const mayWait = 'refused' in end && end.refused === 'concurrency' && slots.hasRoom(call.keyId);
    if (!mayWait) return await respondToRun(context, call, lease, end, { waitMs: left(), began });
  }

  let waiting: Promise<boolean> | undefined;
  const starting = admitWhenSlotIsFree(context, call, lease).then(async (admitted) => {
    await waiting;
    if ('error' in admitted) return admitted;
    // Also if the insert failed: it may have written the waiting job.
    return startCall(context, admitted, lease, { hasPendingJob: waiting !== undefined });
  });
  let started = await resolveWithin(starting, left());
  if (!started) {
    const pending = toPendingResult(context.runtime, call, performance.now() - began);
    const written = createWaitingJob(context, call, lease, pending);
    waiting = written;
    holdWaitingJob(context, call, starting, written);
    if (await written) return { response: respondAccepted(context, pending), record: 'keep' };
    started = await starting;
  }
  if ('error' in started) return { error: started.error, record: 'release' };
  return await respondToWaiting(context, call, started, { waitMs: left(), began });
}

/** The call was not admitted. */
interface Refusal {
  error: GatewayError;
}

/** Admits the call when its key has a free slot, in first-in, first-out order. */
function admitWhenSlotIsFree(
  context: KeyContext,
  call: PreparedCall,
  lease: RequestLease | null,
): Promise<AdmittedCall | Refusal> {
  const { runtime } = context;
  const end = performance.now() + MAX_SLOT_WAIT_MS;
  let unsure = false;
  const attempt = async () => {
    runtime.running.refuseWhileStopping();
    if (lease && !(await lease.renew())) throw createInProgress();
    // The response of an earlier attempt was lost: it may have admitted the call.
    if (unsure && (await runtime.running.isStillOurs(call.id)))
      return { availableAfterHold: 0n, storesResponse: lease !== null, resumed: false, ...call };
    const admitted = await admitCall(context, call, lease);
    if (!('refused' in admitted)) return admitted;
    return admitted.refused === 'concurrency' && performance.now() < end ? NO_SLOT : admitted;
  };
  return runtime.running.slots.wait(call.keyId, async () => {
    try {
      return await attempt();
    } catch (thrown) {
      if (thrown instanceof GatewayError && !unsure) return { error: thrown };
      const lost = !(thrown instanceof GatewayError) && toGatewayError(thrown).code === 'UNAVAILABLE';
      if (!lost || performance.now() > end) {
        runtime.running.abandon(call.id);
        throw thrown;
      }
      // A short database outage must not refuse the calls that wait.
      unsure = true;
      return NO_SLOT;
    }
  });
}

/**
 * Renews the lease of a waiting job until its call starts; fails the job if the call is refused.
 */
function holdWaitingJob(
  context: KeyContext,
  call: PreparedCall,
  starting: Promise<StartedCall | Refusal>,
  written: Promise<boolean>,
): void {
  const { runtime } = context;
  const stopRenewing = runtime.running.holdWaitingJob(call.id);
  const fail = async (error: unknown) => {
    // Without waiting for the insert, the job would be written later and never end.
    if (!(await written)) return;
    const refusal = toGatewayError(error);
    recordRefusal(context, refusal, { tool: call.tool.name, skill: call.skill.name });
    try {
      await failWaitingJob(runtime.sql, call.id, runtime.flush.fence, refusal);
    } catch (cause) {
      // The lease is no longer renewed, so the reaper ends the job.
      runtime.log.error('job.close_failed', { callId: call.id, error: cause });
    }
  };
  void starting
    .then((started) => ('error' in started ? fail(started.error) : undefined), fail)
    .finally(stopRenewing);
}

/** Returns false if the job could not be written; the request then keeps waiting. */
async function createWaitingJob(
  { runtime }: KeyContext,
  call: PreparedCall,
  lease: RequestLease | null,
  pending: CallResult,
): Promise<boolean> {
  try {
    await runtime.db.transaction(async (tx) => {
      await insertWaitingJob(tx, call, runtime.flush);
      await saveResponseOrThrow(tx, lease, { status: 202, body: pending });
    });
    return true;
  } catch (error) {
    runtime.log.error('job.create_failed', { callId: call.id, error });
    return false;
  }
}
