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
 * Leases a queued call and runs it to its end. Does nothing if the call is no longer available:
 * cancelled, expired or leased by another worker.
 * @throws if it cannot be leased now: it stays in the queue
 */
export async function runQueuedCall(runtime: Runtime, callId: string): Promise<void> {
  const { tracing } = runtime.observer;
  await (tracing ? tracing.queuedRun(callId, () => runTaken(runtime, callId)) : runTaken(runtime, callId));
}

async function runTaken(runtime: Runtime, callId: string): Promise<void> {
  const { flush, running } = runtime;
  if (running.stopping) throw new Error('This worker is stopping');
  // Imported tools load after startup: wait for them.
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
 * Rebuilds the call as the queueing process saw it; null if its skill or key is gone, its input no
 * longer fits, or its price has risen.
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
    log.error('call.provider_key_unusable', { callId: id, error });
    return null;
  }
  const prepared = prepareCall(skill, taken.input, {
    byok: credential?.isOwn === true,
    byokRatePpm: settings.byokRatePpm,
  });
  // A raised price must not exceed what was promised and held.
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
    // Only claimed accounts may use queued skills.
    caller: { accountId, provisional: false, spentMs: 0 },
    credential,
    availableAfterHold: 0n,
    kept: true,
    resumed: taken.attempts > 1,
    leasedAt,
  };
}
