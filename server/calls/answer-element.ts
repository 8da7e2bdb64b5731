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

/** The longest a call waits for a slot. */
const MAX_SLOT_WAIT_MS = 1_800_000;

/**
 * One call of a batch. Where its key has no free slot it stands in line for one, where there is
 * room; where that takes longer than a request waits, it is a pending job until it has one.
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
    // Also where nobody knows whether the waiting job was written.
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
 * Opens a call where nobody of its key stands in the way; else it stands in line from now on, where
 * there is room.
 * @throws GatewayError its refusal, also for want of a slot where the line is too long
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

/** Opens a call as soon as its key has a free slot, after those that came before. */
function openFromLine(context: KeyContext, ready: ReadyCall, claim: Claim | null): Promise<OpenedCall> {
  const { runtime } = context;
  const end = performance.now() + MAX_SLOT_WAIT_MS;
  let unsure = false;
  const attempt = async () => {
    refuseWhileStopping(runtime);
    if (claim && !(await claim.isOurs())) throw inProgress();
    // The answer of a try was lost: it may have opened the call.
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
      // Nobody in line is refused because the database was away for a moment.
      unsure = true;
      return NO_SLOT;
    }
  });
}

/** Null where it takes longer. */
function within(begun: Promise<BegunCall>, waitMs: number | null): Promise<BegunCall | null> {
  if (waitMs === null) return begun;
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(null), waitMs);
    begun.finally(() => clearTimeout(timer)).then(resolve, reject);
  });
}

/**
 * Keeps the lease of a waiting job until its call is begun, or ends it with the reason why it
 * cannot be.
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
      // What is refused before its job is written would leave a job that nobody ends.
      if (await written) await giveUpWaiting(runtime, ready, toGatewayError(error));
    })
    .finally(letGo);
}

/** False where it could not be written: then the request goes on waiting. */
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
    runtime.log.error('a waiting call could not become a job', { callId: ready.id, error });
    return false;
  }
}

async function giveUpWaiting(runtime: Runtime, ready: ReadyCall, error: GatewayError): Promise<void> {
  const job = { id: jobIdOf(ready.id), callId: ready.id, fence: runtime.flush.fence };
  try {
    await failWaitingJob(runtime.sql, { ...job, error: error.message, errorCode: error.code });
  } catch (cause) {
    // Nobody renews its lease any more: the reaper ends it.
    runtime.log.error('a waiting job could not be ended', { callId: ready.id, error: cause });
  }
}
