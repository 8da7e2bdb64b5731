import type { GatewayError } from '../../core/errors/gateway-error';
import { toStoredRequestId } from '../../core/http/call-request-id';
import { createInProgress, type RequestLease } from '../../core/idempotency/run-once';
import { toStoredAddress } from '../../core/limits/client-address';
import { limitQuotas, requireAllowedAddress, requireAllowedTool } from '../../core/limits/key-rules';
import { callRateHeaders } from '../../core/limits/rate-headers';
import type { Runtime } from '../../core/runtime';
import type { KeyContext } from '../../core/trpc/context';
import { toJobId } from '../jobs/job-ids';
import { QUEUE_FENCE } from '../jobs/queue-store';
import type { PreparedCall } from '../prepare/prepare-call';
import { sumCost } from '../prepare/price-call';
import { toQueuedPrices } from '../prepare/quote';
import { endCalls, endWithError } from '../settlement/store';
import { refusalError } from './refusal-error';
import { type AdmissionRefusal, type AdmitRequest, type AdmitResult, admitQueuedCall } from './store';

/** How often a key that was claimed or changed is resolved again before the call fails. */
const MAX_CHANGES = 5;

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

/** A call that was not admitted. */
export interface RefusedCall {
  refused: AdmissionRefusal;
  error: GatewayError;
}

/**
 * Admits a call: PostgreSQL decides on hold, concurrency slot and rate windows.
 * @returns the admitted call, or a refusal of admission_refusal
 */
export async function admitCall(
  context: KeyContext,
  call: PreparedCall,
  lease: RequestLease | null,
): Promise<AdmittedCall | RefusedCall> {
  const open = chooseAdmission(context.runtime, call);
  // The record of an Idempotency-Key is durable, so its call must be too: it must not run again.
  const request = toAdmitRequest(context, call, lease !== null);
  const { running, observer, keyStates, spendingLimits } = context.runtime;
  let tried: TriedCall;
  running.opensInFlight++;
  try {
    tried = { result: await observer.span('gateway.call.open', {}, () => open(request)), call };
    if (isOutdated(tried.result)) tried = await admitForCurrentKey(context, tried, request, open);
  } finally {
    running.opensInFlight--;
  }
  const { result, error } = tried;
  const quotas = limitQuotas(context.runtime.quotas, tried.call.rules);
  Object.assign(context.reply.headers, callRateHeaders(result.windows, quotas));
  if (result.outcome !== 'opened' || error) {
    const { accountId, keyId } = call;
    if (result.outcome === 'month') spendingLimits.report({ of: 'account', id: accountId });
    if (result.outcome === 'spend') spendingLimits.report({ of: 'key', id: keyId });
    if (result.outcome === 'key') spendingLimits.report({ of: 'key credits', id: keyId });
    if (result.outcome === 'member') spendingLimits.report({ of: 'member', id: keyId, team: accountId });
    return {
      refused: result.outcome as AdmissionRefusal,
      error: error ?? refusalError(result, context.runtime, tried.call),
    };
  }
  if (call.billing === 'personal') keyStates.report(call.keyId, result.available, result.windows);
  if (lease?.mayHaveExpired() && !(await lease.renew())) {
    await discardAdmitted(context.runtime, call);
    throw createInProgress();
  }
  return { availableAfterHold: result.available, storesResponse: lease !== null, resumed: false, ...call };
}

/**
 * As `admitCall`, for a call that is not tried again after an error: if it was admitted although no
 * answer came, it is ended. One in the queue runs.
 */
export async function admitOnce(
  context: KeyContext,
  call: PreparedCall,
  lease: RequestLease | null,
): Promise<AdmittedCall | RefusedCall> {
  try {
    return await admitCall(context, call, lease);
  } catch (error) {
    if (!call.queued) context.runtime.running.abandon(call.id);
    throw error;
  }
}

/** The statement that opens the call: into the queue, or for a run in this process. */
function chooseAdmission(
  runtime: Pick<Runtime, 'credentials' | 'flush' | 'observer' | 'quotas' | 'sql'>,
  { id, rawInput: input, skill, credential, bound, queued, webhookUrl }: PreparedCall,
): (request: AdmitRequest) => Promise<AdmitResult> {
  if (!queued) return runtime.flush.admitCall;
  const sealed = credential && runtime.credentials.sealForQueue(id, credential);
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
  return (request) => admitQueuedCall(runtime.sql, { ...request, ...job }, runtime.quotas);
}

/**
 * Ends an opened call without a charge: this process stalled beyond its lease, and another run of
 * the same request has taken over.
 */
async function discardAdmitted(
  { sql, flush }: Pick<Runtime, 'flush' | 'sql'>,
  call: PreparedCall,
): Promise<void> {
  const ended = endWithError(call, createInProgress(), 'null');
  for (const fence of [flush.fence, QUEUE_FENCE]) await endCalls(sql, [ended], fence);
}

export function toAdmitRequest(
  { requestId, clientIp }: Pick<KeyContext, 'requestId' | 'clientIp'>,
  { id, keyId, accountId, billing, tool, skill, quote, rulesVersion }: PreparedCall,
  durable: boolean,
): AdmitRequest {
  return {
    id,
    keyId,
    accountId,
    billing,
    tool: tool.name,
    skill: skill.name,
    hold: sumCost(quote),
    rulesVersion,
    durable,
    requestId: toStoredRequestId(requestId, id),
    clientAddress: toStoredAddress(clientIp),
  };
}

/** A call with the rules it was checked against, and what the database decided about it. */
interface TriedCall {
  call: PreparedCall;
  result: AdmitResult;
  /** The current rules of the key refuse the call; the database was not asked again. */
  error?: GatewayError;
}

/** Whether the key was claimed, or got other rules or another secret, since it was read. */
function isOutdated({ outcome }: AdmitResult): boolean {
  return outcome === 'moved' || outcome === 'changed';
}

/** Checks the call against its key as it is now, and opens it on the account of the key. */
async function admitForCurrentKey(
  { runtime, actor, clientIp, reply }: KeyContext,
  outdated: TriedCall,
  request: AdmitRequest,
  open: (request: AdmitRequest) => Promise<AdmitResult>,
): Promise<TriedCall> {
  let { call, result } = outdated;
  for (let changes = 0; changes < MAX_CHANGES && isOutdated(result); changes++) {
    const key = await runtime.flush.resolveKey(actor.keyHash);
    if (!key || key.revoked) return { call, result: { ...result, outcome: 'revoked' } };
    if (key.expired) return { call, result: { ...result, outcome: 'expired' } };
    runtime.keyCache.set(actor.keyHash, key);
    const { rules, rulesVersion } = key;
    call = { ...call, rules, rulesVersion };
    // A refusal is recorded with the rules that refused.
    reply.actor = Object.assign({}, actor, { rules, rulesVersion });
    const error = findRuleError(call, clientIp);
    if (error) return { call, result, error };
    const accountId = call.billing === 'personal' ? key.accountId : request.accountId;
    result = await open({ ...request, accountId, rulesVersion });
  }
  return { call, result };
}

function findRuleError({ rules, tool, skill }: PreparedCall, clientIp: string): GatewayError | undefined {
  try {
    requireAllowedAddress(rules, clientIp);
    requireAllowedTool(rules, tool.name, skill.name);
    return undefined;
  } catch (error) {
    return error as GatewayError;
  }
}
