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
import { NO_SLOT } from './slot-queue';
import type { OpenResult } from './store';

/** The longest a call waits for a slot: longer than any handler runs. */
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
    const written = becomeWaitingJob(context, ready, claim, pending);
    waiting = written;
    // What is refused before its job is written would leave a job that nobody ends.
    void begun.catch(async (error) => {
      if (await written) await giveUpWaiting(context.runtime, ready, toGatewayError(error));
    });
    if (await written) return accepted(context, pending);
  }
  const left = waitMs === null ? null : Math.max(0, waitMs - (performance.now() - began));
  return await answerBegun(context, ready, started ?? (await begun), left, began);
}

/** Opens a call as soon as its key has a free slot, after those that came before. */
async function openWhenFree(context: KeyContext, ready: ReadyCall, claim: Claim | null): Promise<OpenedCall> {
  const { runtime } = context;
  const { running } = runtime;
  const end = performance.now() + MAX_SLOT_WAIT_MS;
  let refused: OpenResult | undefined;
  const attempt = async () => {
    const opened = await tryOpenCall(context, ready, claim, openerOf(runtime, ready));
    if (!('refused' in opened)) return opened;
    refused = opened.refused;
    if (refused.outcome !== 'concurrency') throw refusalError(refused, runtime, ready.quote);
    return NO_SLOT;
  };
  if (!running.slots.hasLine(ready.keyId)) {
    const opened = await attempt();
    if (opened !== NO_SLOT) return opened;
  }
  const opened = await running.slots.wait(
    ready.keyId,
    attempt,
    () => performance.now() < end && !running.stopping,
  );
  if (opened !== NO_SLOT) return opened;
  // Of a line that was too long nobody has asked yet how the key stands.
  const last = refused ? NO_SLOT : await attempt();
  if (last !== NO_SLOT) return last;
  throw refusalError(refused as OpenResult, runtime, ready.quote);
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
