import type { CallCredential } from '../catalog/credentials/call-credential';
import { openFromQueue } from '../catalog/credentials/queued-credential';
import type { Runtime } from '../core/runtime';
import { newId } from '../kit/ids';
import { callFailure } from './call-failure';
import { CallRun } from './call-run';
import { startQueuedCall, type TakenCall } from './job-store';
import type { OpenedCall } from './open-call';
import { type FoundSkill, prepareCall } from './prepare-call';
import { total } from './price-call';

/**
 * Takes a call out of the queue and runs it to its end. What is no longer there to be taken
 * (cancelled, given up, taken by another) is nothing to do.
 * @throws where it cannot be taken now: it stays in the queue
 */
export async function runQueuedCall(runtime: Runtime, callId: string): Promise<void> {
  const { tracing } = runtime.observer;
  await (tracing ? tracing.queuedRun(callId, () => runTaken(runtime, callId)) : runTaken(runtime, callId));
}

async function runTaken(runtime: Runtime, callId: string): Promise<void> {
  const { flush, running } = runtime;
  if (running.stopping) throw new Error('This worker is stopping');
  // Its tool may be an imported one, which a process that has just begun has not read yet.
  await runtime.imports.ready;
  running.opening++;
  const leasedAt = performance.now();
  const taken = await startQueuedCall(runtime.sql, callId, flush.fence, flush.leaseSeconds).finally(() => {
    running.opening--;
  });
  if (!taken) return;
  const opened = reopen(runtime, callId, taken, leasedAt);
  if (opened) {
    await new CallRun(runtime, opened, { requestId: newId('request'), job: { lastSeq: taken.lastSeq } })
      .ended;
    return;
  }
  // Queued by another version of the gateway.
  const error = callFailure({
    code: null,
    message: 'This version of the gateway cannot run the call any more.',
  });
  await flush.finishCall({
    id: callId,
    keyId: taken.keyId,
    success: false,
    markup: 0n,
    raw: 0n,
    byok: false,
    errorCode: error.code,
    latencyMs: 0,
    error: error.message,
    result: JSON.stringify({ status: 'error', error: { code: error.code, message: error.message } }),
  });
}

/**
 * The call as the process that queued it saw it; null where its skill or key is gone, or it takes
 * other input now, or more money.
 */
function reopen(runtime: Runtime, id: string, taken: TakenCall, leasedAt: number): OpenedCall | null {
  const { tools, settings, log } = runtime;
  const tool = tools.findTool(taken.tool);
  const skill = tool && tools.findSkill(tool, taken.skill);
  if (!skill) return null;
  const found: FoundSkill = { tool, skill };
  let credential: CallCredential | null;
  try {
    credential = taken.credential && openFromQueue(runtime, id, taken.credential);
  } catch (error) {
    log.error('the provider key of a queued call cannot be used', { callId: id, error });
    return null;
  }
  const prepared = prepareCall(skill, taken.input, {
    byok: credential?.isOwn === true,
    byokRatePpm: settings.byokRatePpm,
  });
  // A price that was raised meanwhile: it was promised at the old one, and no more is set aside.
  if (!prepared.ok || total(prepared.quote) > taken.hold) return null;
  const { keyId, accountId, billing, input: rawInput } = taken;
  const { input, quote } = prepared;
  return {
    ...found,
    id,
    keyId,
    accountId,
    billing,
    input,
    rawInput,
    quote,
    // Only claimed accounts may call what is queued.
    caller: { accountId, provisional: false, spentMs: 0 },
    credential,
    availableAfterHold: 0n,
    kept: true,
    resumed: taken.attempts > 1,
    leasedAt,
  };
}
