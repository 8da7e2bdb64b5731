import type { GatewayError } from '../errors/gateway-error';
import type { Claim } from '../idempotency/once';
import type { Runtime } from '../runtime';
import type { KeyContext } from '../trpc/context';
import { toGatewayError } from '../trpc/format-error';
import { accepted, answerBegun, type BegunCall, beginCall, waitMsOf } from './begin-call';
import { pendingOf } from './call-result';
import { jobIdOf } from './job-ids';
import { failWaitingJob, insertWaitingJob } from './job-store';
import { type OpenedCall, type ReadyCall, readyCall, tryOpenCall } from './open-call';
import { openerOf } from './queued-call';
import { refusalError } from './refusal-error';
import type { CallInput, CallResult } from './schema';

/** How often a waiting call looks for a slot that another process has freed; those of this one wake it at once. */
const SLOT_POLL_MS = 100;
/** The longest it waits for one: longer than any handler runs. */
const MAX_SLOT_WAIT_MS = 1_800_000;

/**
 * One call of a batch. Where its key has no free slot it waits for one; where that takes longer than a request waits, it
 * is a pending job until it has one.
 * @throws GatewayError as runCall, but never for want of a slot
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
  let waiting: Promise<boolean> | undefined;
  const begun = openWhenFree(context, ready, claim).then(async (opened) => {
    await waiting;
    // Also where nobody knows whether the waiting job was written.
    return beginCall(context, opened, claim, waiting !== undefined);
  });
  const started = waitMs === null ? await begun : await within(begun, waitMs);
  if (!started) {
    const pending = pendingOf(context.runtime, ready, performance.now() - began);
    const letGo = context.runtime.running.holdWaitingJob(id);
    void begun.then(letGo, letGo);
    waiting = becomeWaitingJob(context, ready, claim, pending);
    void begun.catch((error) => giveUpWaiting(context.runtime, ready, toGatewayError(error)));
    if (await waiting) return accepted(context, pending);
  }
  const left = waitMs === null ? null : Math.max(0, waitMs - (performance.now() - began));
  return await answerBegun(context, ready, started ?? (await begun), left, began);
}

/** Opens a call as soon as its key has a free slot. */
async function openWhenFree(context: KeyContext, ready: ReadyCall, claim: Claim | null): Promise<OpenedCall> {
  const { runtime } = context;
  const end = performance.now() + MAX_SLOT_WAIT_MS;
  for (;;) {
    const opened = await tryOpenCall(context, ready, claim, openerOf(runtime, ready));
    if (!('refused' in opened)) return opened;
    const wait =
      opened.refused.outcome === 'concurrency' && performance.now() < end && !runtime.running.stopping;
    if (!wait) throw refusalError(opened.refused, runtime, ready.quote);
    await runtime.running.slotMayBeFree(ready.keyId, SLOT_POLL_MS);
  }
}

/** Null where it takes longer. */
function within(begun: Promise<BegunCall>, waitMs: number): Promise<BegunCall | null> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(null), waitMs);
    begun.finally(() => clearTimeout(timer)).then(resolve, reject);
  });
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
      await claim?.keep(tx, { status: 202, body: pending });
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
