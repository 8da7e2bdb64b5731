import { GatewayError } from '../core/errors/gateway-error';
import { type Claim, inProgress, keepWithin } from '../core/idempotency/once';
import type { Runtime } from '../core/runtime';
import type { KeyContext } from '../core/trpc/context';
import { toGatewayError } from '../core/trpc/format-error';
import { accepted, answerBegun, type BegunCall, beginCall, waitMsOf } from './begin-call';
import { pendingOf } from './call-result';
import { failWaitingJob, insertWaitingJob } from './job-store';
import { jobIdOf } from './jobs/job-ids';
import { type OpenedCall, type ReadyCall, readyCall, tryOpenCall } from './open-call';
import { openerOf } from './queued-call';
import { refusalError } from './refusal-error';
import type { CallResult } from './result/schema';
import { freeIfRefused, refuseWhileStopping } from './run-call';
import type { CallInput } from './schema';
import { NO_SLOT } from './slot-queue';

/** The longest time a call waits for a concurrency slot. */
const MAX_SLOT_WAIT_MS = 1_800_000;

/**
 * Runs one call of a batch. If its key has no free concurrency slot, the call waits in the queue of
 * the key while there is room. If the request would have to wait too long, the call becomes a
 * pending job until it gets a slot.
 * @throws GatewayError as runCall
 */
export async function answerElement(
  context: KeyContext,
  call: CallInput,
  id: string,
  claim: Claim | null,
): Promise<CallResult> {
  const began = performance.now();
  const ready = await readyCall(context, call, id);
  const waitMs = waitMsOf(context);
  const left = () => (waitMs === null ? null : Math.max(0, waitMs - (performance.now() - began)));
  const { opened, inLine } = await openOrStandInLine(context, ready, claim);
  if (opened) {
    const begun = beginCall(context, opened, claim);
    return await freeIfRefused(claim, answerBegun(context, ready, begun, left(), began));
  }

  let waiting: Promise<boolean> | undefined;
  const begun = inLine.then(async (opened) => {
    await waiting;
    // Also if the insert failed: it may have written the waiting job.
    return beginCall(context, opened, claim, waiting !== undefined);
  });
  const started = await within(begun, left());
  if (!started) {
    const pending = pendingOf(context.runtime, ready, performance.now() - began);
    const written = becomeWaitingJob(context, ready, claim, pending);
    waiting = written;
    holdWaitingJob(context, ready, begun, written);
    if (await written) return accepted(context, pending);
  }
  return await freeIfRefused(claim, answerBegun(context, ready, started ?? (await begun), left(), began));
}

type Opening = { opened: OpenedCall; inLine?: never } | { opened?: never; inLine: Promise<OpenedCall> };

/**
 * Opens the call at once if no other call of its key waits for a slot; otherwise enqueues it.
 * @throws GatewayError the refusal, also when no slot is free and the queue is full
 */
async function openOrStandInLine(
  context: KeyContext,
  ready: ReadyCall,
  claim: Claim | null,
): Promise<Opening> {
  const { runtime } = context;
  const { slots } = runtime.running;
  if (slots.hasLine(ready.keyId) && slots.hasRoom(ready.keyId))
    return { inLine: openFromLine(context, ready, claim) };
  const opened = await tryOpenCall(context, ready, claim, openerOf(runtime, ready));
  if (!('refused' in opened)) return { opened };
  if (opened.refused.outcome === 'concurrency' && slots.hasRoom(ready.keyId))
    return { inLine: openFromLine(context, ready, claim) };
  throw refusalError(opened.refused, runtime, ready);
}

/** Opens the call when its key has a free slot, in first-in, first-out order. */
function openFromLine(context: KeyContext, ready: ReadyCall, claim: Claim | null): Promise<OpenedCall> {
  const { runtime } = context;
  const end = performance.now() + MAX_SLOT_WAIT_MS;
  let unsure = false;
  const attempt = async () => {
    refuseWhileStopping(runtime);
    if (claim && !(await claim.isOurs())) throw inProgress();
    // The response of an earlier attempt was lost: it may have opened the call.
    if (unsure && (await runtime.running.isStillOurs(ready.id)))
      return { availableAfterHold: 0n, kept: claim !== null, resumed: false, ...ready };
    const opened = await tryOpenCall(context, ready, claim, openerOf(runtime, ready));
    if (!('refused' in opened)) return opened;
    if (opened.refused.outcome === 'concurrency' && performance.now() < end) return NO_SLOT;
    throw refusalError(opened.refused, runtime, ready);
  };
  return runtime.running.slots.wait(ready.keyId, async () => {
    try {
      return await attempt();
    } catch (thrown) {
      const lost = !(thrown instanceof GatewayError) && toGatewayError(thrown).code === 'UNAVAILABLE';
      if (!lost || performance.now() > end) throw thrown;
      // A short database outage must not refuse the calls that wait.
      unsure = true;
      return NO_SLOT;
    }
  });
}

/** Resolves to null if the call has not started in time. */
function within(begun: Promise<BegunCall>, waitMs: number | null): Promise<BegunCall | null> {
  if (waitMs === null) return begun;
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(null), waitMs);
    begun.finally(() => clearTimeout(timer)).then(resolve, reject);
  });
}

/**
 * Renews the lease of a waiting job until its call starts; fails the job if the call is refused.
 */
function holdWaitingJob(
  { runtime }: KeyContext,
  ready: ReadyCall,
  begun: Promise<BegunCall>,
  written: Promise<boolean>,
): void {
  const letGo = runtime.running.holdWaitingJob(ready.id);
  void begun
    .catch(async (error) => {
      // Without waiting for the insert, the job would be written later and never end.
      if (await written) await giveUpWaiting(runtime, ready, toGatewayError(error));
    })
    .finally(letGo);
}

/** Returns false if the job could not be written; the request then keeps waiting. */
async function becomeWaitingJob(
  { runtime }: KeyContext,
  ready: ReadyCall,
  claim: Claim | null,
  pending: CallResult,
): Promise<boolean> {
  const { fence, leaseSeconds } = runtime.flush;
  try {
    await runtime.db.transaction(async (tx) => {
      await insertWaitingJob(tx, {
        id: jobIdOf(ready.id),
        callId: ready.id,
        keyId: ready.keyId,
        billing: ready.billing,
        tool: ready.tool.name,
        skill: ready.skill.name,
        fence,
        leaseSeconds,
      });
      await keepWithin(tx, claim, { status: 202, body: pending });
    });
    return true;
  } catch (error) {
    runtime.log.error('job.create_failed', { callId: ready.id, error });
    return false;
  }
}

async function giveUpWaiting(runtime: Runtime, ready: ReadyCall, error: GatewayError): Promise<void> {
  const job = { id: jobIdOf(ready.id), callId: ready.id, fence: runtime.flush.fence };
  try {
    await failWaitingJob(runtime.sql, { ...job, error: error.message, errorCode: error.code });
  } catch (cause) {
    // The lease is no longer renewed, so the reaper ends the job.
    runtime.log.error('job.close_failed', { callId: ready.id, error: cause });
  }
}
