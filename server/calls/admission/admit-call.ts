import { sealForQueue } from '../../catalog/credentials/queued-credential';
import { createInProgress, type RequestLease } from '../../core/idempotency/run-once';
import { callRateHeaders } from '../../core/limits/rate-headers';
import type { Runtime } from '../../core/runtime';
import type { KeyContext } from '../../core/trpc/context';
import { reportSpendingLimit } from '../../platform/webhooks/report-spending-limit';
import { toJobId } from '../jobs/job-ids';
import { QUEUE_FENCE } from '../jobs/queue-store';
import type { PreparedCall } from '../prepare/prepare-call';
import { sumCost } from '../prepare/price-call';
import { toQueuedPrices } from '../prepare/queued-prices';
import { finishCalls } from '../settlement/store';
import { refusalError } from './refusal-error';
import { type OpenRequest, type OpenResult, openQueuedCall } from './store';

/** How often a key moved by an account claim is resolved again before the call fails. */
const MAX_MOVES = 3;

/** An admitted call: its hold, concurrency slot and row are in the database. */
export interface AdmittedCall extends PreparedCall {
  availableAfterHold: bigint;
  /** The call has an Idempotency-Key: its response is stored when it ends. */
  storesResponse: boolean;
  /** An earlier attempt started and died with its process. */
  resumed: boolean;
  /** When the lease was requested, by the monotonic clock of this process; absent means now. */
  leasedAt?: number;
}

/**
 * Admits a call: PostgreSQL decides on hold, concurrency slot and rate windows.
 * @throws GatewayError every refusal of admission_refusal
 */
export async function admitCall(
  context: KeyContext,
  call: PreparedCall,
  lease: RequestLease | null,
): Promise<AdmittedCall> {
  const opened = await tryAdmitCall(context, call, lease);
  if ('refused' in opened) throw refusalError(opened.refused, context.runtime, call);
  return opened;
}

/** Like admitCall, but returns a refusal instead of throwing it. */
export async function tryAdmitCall(
  context: KeyContext,
  call: PreparedCall,
  lease: RequestLease | null,
): Promise<AdmittedCall | { refused: OpenResult }> {
  // Set before the statement: if its response is lost, the call may be open and a worker may run
  // it, so the idempotency record must stay.
  if (lease) lease.started = true;
  const open = chooseOpenStatement(context.runtime, call);
  // The record of an Idempotency-Key is durable, so its call must be too: it must not run again.
  const request = { ...toOpenRequest(call), durable: lease !== null };
  const { running, observer, earlyCalls } = context.runtime;
  let result: OpenResult;
  running.opensInFlight++;
  try {
    result = await observer.span('gateway.call.open', {}, () => open(request));
    if (result.outcome === 'moved') result = await openOnNewAccount(context, request, open, result);
  } finally {
    running.opensInFlight--;
  }
  Object.assign(context.reply.headers, callRateHeaders(result.windows, context.runtime.quotas));
  if (result.outcome !== 'opened') {
    if (lease) lease.started = false;
    if (result.outcome === 'month') reportSpendingLimit(context.runtime, call.accountId);
    return { refused: result };
  }
  if (call.billing === 'personal') earlyCalls.report(call.keyId, result.available, result.windows);
  if (lease?.mayHaveExpired() && !(await lease.renew())) {
    await discardAdmitted(context.runtime, call);
    throw createInProgress();
  }
  return { availableAfterHold: result.available, storesResponse: lease !== null, resumed: false, ...call };
}

/** The statement that opens the call: into the queue, or for a run in this process. */
function chooseOpenStatement(
  runtime: Pick<Runtime, 'flush' | 'observer' | 'ports' | 'quotas' | 'sql'>,
  { id, rawInput: input, skill, credential, bound, queued, webhookUrl }: PreparedCall,
): (request: OpenRequest) => Promise<OpenResult> {
  if (!queued) return runtime.flush.openCall;
  const sealed = credential && sealForQueue(runtime, id, credential);
  // Before the insert: a worker of this process may lease the call before the database responds.
  runtime.observer.tracing?.queued(id);
  const job = {
    jobId: toJobId(id),
    input,
    rerunnable: skill.annotations.idempotent,
    credential: sealed,
    prices: bound && toQueuedPrices(bound),
    webhookUrl,
  };
  return (request) => openQueuedCall(runtime.sql, { ...request, ...job }, runtime.quotas);
}

/**
 * Ends an opened call without a charge: this process stalled beyond its lease, and another run of
 * the same request has taken over.
 */
async function discardAdmitted(
  { sql, flush }: Pick<Runtime, 'flush' | 'sql'>,
  { id, keyId }: PreparedCall,
): Promise<void> {
  const error = createInProgress();
  const nothing = { id, keyId, success: false, markup: 0n, raw: 0n, byok: false, latencyMs: 0 };
  const ended = { ...nothing, errorCode: error.code, error: error.message, result: 'null' };
  for (const fence of [flush.fence, QUEUE_FENCE]) await finishCalls(sql, [ended], fence);
}

function toOpenRequest(call: PreparedCall): Omit<OpenRequest, 'durable'> {
  const { id, keyId, accountId, billing, tool, skill, quote } = call;
  return { id, keyId, accountId, billing, tool: tool.name, skill: skill.name, hold: sumCost(quote) };
}

/** Opens the call on the new account of its key, which an account claim has just moved. */
async function openOnNewAccount(
  context: KeyContext,
  request: OpenRequest,
  open: (request: OpenRequest) => Promise<OpenResult>,
  refused: OpenResult,
): Promise<OpenResult> {
  const { flush } = context.runtime;
  let opened = refused;
  for (let moves = 0; moves < MAX_MOVES && opened.outcome === 'moved'; moves++) {
    const key = await flush.resolveKey(context.actor.keyHash);
    if (!key || key.revoked) return { ...opened, outcome: 'revoked' };
    opened = await open({ ...request, accountId: key.accountId });
  }
  return opened;
}
