import type { CallCredential } from '../../catalog/credentials/call-credential';
import { errorBody } from '../../core/errors/error-body';
import type { Runtime } from '../../core/runtime';
import { newId } from '../../kit/ids';
import type { AdmittedCall } from '../admission/admit-call';
import { type LeasedCall, leaseQueuedCall } from '../jobs/queue-store';
import { sumCost } from '../prepare/price-call';
import { fromQueuedPrices } from '../prepare/queued-prices';
import { validateAndQuote } from '../prepare/validate-input';
import { callFailure } from '../settlement/call-failure';
import { CallRun } from './call-run';

/**
 * Leases a queued call and runs it to its end. Does nothing if the call is no longer available:
 * cancelled, expired or leased by another worker.
 * @throws if it cannot be leased now: it stays in the queue
 */
export async function runQueuedCall(runtime: Runtime, callId: string): Promise<void> {
  const { tracing } = runtime.observer;
  await (tracing
    ? tracing.queuedRun(callId, () => leaseAndRun(runtime, callId))
    : leaseAndRun(runtime, callId));
}

async function leaseAndRun(runtime: Runtime, callId: string): Promise<void> {
  const { flush, running } = runtime;
  if (running.stopping) throw new Error('This worker is stopping');
  // Imported tools load after startup: wait for them.
  await runtime.imports.ready;
  running.opensInFlight++;
  const leasedAt = performance.now();
  const leased = await leaseQueuedCall(runtime.sql, callId, flush.fence, flush.leaseSeconds).finally(() => {
    running.opensInFlight--;
  });
  if (!leased) return;
  const requestId = leased.requestId ?? newId('request');
  const opened = rebuildCall(runtime, callId, leased, leasedAt);
  if (opened) {
    await new CallRun(runtime, opened, { requestId, job: { lastSeq: leased.lastSeq } }).ended;
    return;
  }
  // Queued by another version of the gateway.
  const error = callFailure(callId, {
    code: null,
    message: 'This version of the gateway cannot run the call any more.',
  });
  await flush.endCall({
    id: callId,
    keyId: leased.keyId,
    success: false,
    markup: 0n,
    raw: 0n,
    byok: false,
    errorCode: error.code,
    errorMessage: error.message,
    latencyMs: 0,
    response: {
      error: error.message,
      result: JSON.stringify(errorBody(error, requestId, runtime.settings.baseUrl)),
    },
  });
}

/**
 * Rebuilds the call as the queueing process saw it; null if its skill or key is gone, its input no
 * longer fits, or its price has risen.
 */
function rebuildCall(
  runtime: Pick<Runtime, 'credentials' | 'log' | 'settings' | 'tools'>,
  id: string,
  leased: LeasedCall,
  leasedAt: number,
): AdmittedCall | null {
  const { tools, settings, log } = runtime;
  const tool = tools.findTool(leased.tool);
  const skill = tool && tools.findSkill(tool, leased.skill);
  if (!skill) return null;
  let credential: CallCredential | null;
  try {
    credential = leased.credential && runtime.credentials.openFromQueue(id, leased.credential);
  } catch (error) {
    log.error('call.provider_key_unusable', { callId: id, error });
    return null;
  }
  const prepared = validateAndQuote(skill, leased.input, {
    byok: credential?.isByok === true,
    byokRatePpm: settings.byokRatePpm,
  });
  if (!prepared.ok) return null;
  const { input } = prepared;
  const bound = leased.prices && fromQueuedPrices(leased.prices, skill, input);
  if (leased.prices && !bound) return null;
  const quote = bound?.max ?? prepared.quote;
  // A raised price must not exceed what was promised and held.
  if (sumCost(quote) > leased.hold) return null;
  const { keyId, accountId, billing, chargedTo, input: rawInput } = leased;
  return {
    tool,
    skill,
    id,
    keyId,
    accountId,
    billing,
    chargedTo,
    input,
    rawInput,
    quote,
    bound,
    // Decided when the call was admitted.
    rules: null,
    rulesVersion: 0,
    // Only claimed accounts may use queued skills.
    caller: { accountId, provisional: false, spentMs: 0 },
    // The job has it.
    webhookUrl: null,
    credential,
    queued: true,
    availableAfterHold: 0n,
    storesResponse: true,
    resumed: leased.attempts > 1,
    leasedAt,
  };
}
