import { GatewayError } from '../../core/errors/gateway-error';
import { toGatewayError } from '../../core/errors/to-gateway-error';
import {
  createInProgress,
  type RequestEnd,
  type RequestLease,
  saveResponseOrThrow,
} from '../../core/idempotency/run-once';
import type { Runtime } from '../../core/runtime';
import type { KeyContext } from '../../core/trpc/context';
import { resolveWithin } from '../../kit/resolve-within';
import { type AdmittedCall, admitCall } from '../admission/admit-call';
import { NO_SLOT } from '../admission/slot-queue';
import {
  confirmWait,
  resolveWaitMs,
  respondAccepted,
  respondToWaiting,
  type StartedCall,
  startCall,
} from '../execution/start-call';
import { toJobId } from '../jobs/job-ids';
import { failWaitingJob, insertWaitingJob } from '../jobs/queue-store';
import type { PreparedCall } from '../prepare/prepare-call';
import { recordRefusal } from '../refusals/record-refusal';
import type { CallResult } from '../result/schema';
import { toPendingResult } from '../settlement/describe-result';

/** The longest time a call waits for a concurrency slot. */
const MAX_SLOT_WAIT_MS = 1_800_000;

/**
 * Runs one call of a batch. If its key has no free concurrency slot, the call waits in the queue of
 * the key while there is room. If the request would have to wait too long, the call becomes a
 * pending job until it gets a slot.
 * @param began start of the element, by `performance.now()`
 */
export async function executeElement(
  context: KeyContext,
  ready: PreparedCall,
  lease: RequestLease | null,
  began: number,
): Promise<RequestEnd<CallResult>> {
  const waitMs = resolveWaitMs(context);
  confirmWait(context);
  const left = () => (waitMs === null ? null : Math.max(0, waitMs - (performance.now() - began)));
  const opening = await openOrWaitForSlot(context, ready, lease);
  if ('error' in opening) return { error: opening.error, record: 'release' };
  if ('opened' in opening) {
    const started = startCall(context, opening.opened, lease);
    return await respondToWaiting(context, ready, started, { waitMs: left(), began });
  }

  let waiting: Promise<boolean> | undefined;
  const starting = opening.inLine.then(async (opened) => {
    await waiting;
    if ('error' in opened) return opened;
    // Also if the insert failed: it may have written the waiting job.
    return startCall(context, opened, lease, { hasPendingJob: waiting !== undefined });
  });
  let started = await resolveWithin(starting, left());
  if (!started) {
    const pending = toPendingResult(context.runtime, ready, performance.now() - began);
    const written = createWaitingJob(context, ready, lease, pending);
    waiting = written;
    holdWaitingJob(context, ready, starting, written);
    if (await written) return { response: respondAccepted(context, pending), record: 'keep' };
    started = await starting;
  }
  if ('error' in started) return { error: started.error, record: 'release' };
  return await respondToWaiting(context, ready, started, { waitMs: left(), began });
}

/** The call was not admitted. */
interface Refusal {
  error: GatewayError;
}

type Opening = Refusal | { opened: AdmittedCall } | { inLine: Promise<AdmittedCall | Refusal> };

/**
 * Opens the call at once if no other call of its key waits for a slot; otherwise enqueues it. A
 * refusal, also if no slot is free and the queue is full.
 */
async function openOrWaitForSlot(
  context: KeyContext,
  ready: PreparedCall,
  lease: RequestLease | null,
): Promise<Opening> {
  const { runtime } = context;
  const { slots } = runtime.running;
  if (slots.hasWaiting(ready.keyId) && slots.hasRoom(ready.keyId))
    return { inLine: openWhenSlotIsFree(context, ready, lease) };
  const opened = await admitCall(context, ready, lease);
  if (!('refused' in opened)) return { opened };
  if (opened.refused === 'concurrency' && slots.hasRoom(ready.keyId))
    return { inLine: openWhenSlotIsFree(context, ready, lease) };
  return opened;
}

/** Opens the call when its key has a free slot, in first-in, first-out order. */
function openWhenSlotIsFree(
  context: KeyContext,
  ready: PreparedCall,
  lease: RequestLease | null,
): Promise<AdmittedCall | Refusal> {
  const { runtime } = context;
  const end = performance.now() + MAX_SLOT_WAIT_MS;
  let unsure = false;
  const attempt = async () => {
    runtime.running.refuseWhileStopping();
    if (lease && !(await lease.renew())) throw createInProgress();
    // The response of an earlier attempt was lost: it may have opened the call.
    if (unsure && (await runtime.running.isStillOurs(ready.id)))
      return { availableAfterHold: 0n, storesResponse: lease !== null, resumed: false, ...ready };
    const opened = await admitCall(context, ready, lease);
    if (!('refused' in opened)) return opened;
    return opened.refused === 'concurrency' && performance.now() < end ? NO_SLOT : opened;
  };
  return runtime.running.slots.wait(ready.keyId, async () => {
    try {
      return await attempt();
    } catch (thrown) {
      if (thrown instanceof GatewayError && !unsure) return { error: thrown };
      const lost = !(thrown instanceof GatewayError) && toGatewayError(thrown).code === 'UNAVAILABLE';
      if (!lost || performance.now() > end) throw thrown;
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
  ready: PreparedCall,
  starting: Promise<StartedCall | Refusal>,
  written: Promise<boolean>,
): void {
  const { runtime } = context;
  const stopRenewing = runtime.running.holdWaitingJob(ready.id);
  const fail = async (error: unknown) => {
    // Without waiting for the insert, the job would be written later and never end.
    if (!(await written)) return;
    const refusal = toGatewayError(error);
    recordRefusal(context, refusal, { tool: ready.tool.name, skill: ready.skill.name });
    await failWaiting(runtime, ready, refusal);
  };
  void starting
    .then((started) => ('error' in started ? fail(started.error) : undefined), fail)
    .finally(stopRenewing);
}

/** Returns false if the job could not be written; the request then keeps waiting. */
async function createWaitingJob(
  { runtime }: KeyContext,
  ready: PreparedCall,
  lease: RequestLease | null,
  pending: CallResult,
): Promise<boolean> {
  const { fence, leaseSeconds } = runtime.flush;
  try {
    await runtime.db.transaction(async (tx) => {
      await insertWaitingJob(tx, {
        id: toJobId(ready.id),
        callId: ready.id,
        keyId: ready.keyId,
        billing: ready.billing,
        tool: ready.tool.name,
        skill: ready.skill.name,
        fence,
        leaseSeconds,
      });
      await saveResponseOrThrow(tx, lease, { status: 202, body: pending });
    });
    return true;
  } catch (error) {
    runtime.log.error('job.create_failed', { callId: ready.id, error });
    return false;
  }
}

async function failWaiting(
  runtime: Pick<Runtime, 'flush' | 'log' | 'sql'>,
  ready: PreparedCall,
  error: GatewayError,
): Promise<void> {
  const job = { id: toJobId(ready.id), callId: ready.id, fence: runtime.flush.fence };
  try {
    await failWaitingJob(runtime.sql, { ...job, error: error.message, errorCode: error.code });
  } catch (cause) {
    // The lease is no longer renewed, so the reaper ends the job.
    runtime.log.error('job.close_failed', { callId: ready.id, error: cause });
  }
}
