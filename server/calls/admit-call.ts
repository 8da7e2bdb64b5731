import type { CallCredential } from '../catalog/credentials/call-credential';
import { chooseCredential, missingCredentials } from '../catalog/credentials/choose-credential';
import { findUnavailableReason } from '../catalog/tools/find-unavailable-reason';
import { GatewayError } from '../core/errors/gateway-error';
import { createInProgress, type RequestLease } from '../core/idempotency/run-once';
import { callRateHeaders } from '../core/limits/rate-headers';
import type { Runtime } from '../core/runtime';
import type { KeyContext } from '../core/trpc/context';
import { fieldErrors, invalidFields } from '../core/trpc/format-error';
import type { AnyProviderName } from '../platform/settings/providers';
import type { WorkerCaller } from '../platform/workers/worker-callers';
import { findChargedTeam, resolvePersonalAccount } from './choose-billing';
import { finishCalls, QUEUE_FENCE } from './job-store';
import { type CallCost, sumCost } from './price-call';
import { refusalError } from './refusal-error';
import { requireClaimed, resolveCall } from './resolve-call';
import type { CallInput } from './schema';
import type { OpenRequest, OpenResult } from './store';
import { type FoundSkill, getProviderRequirements, quoteWithCredential } from './validate-and-quote';

/** How often a key moved by an account claim is resolved again before the call fails. */
const MAX_MOVES = 3;

/** A prepared call: it passed every check that needs no lock, and its maximum cost is known. */
export interface PreparedCall extends FoundSkill {
  id: string;
  keyId: string;
  input: unknown;
  /** The input as sent; a worker parses it again. */
  rawInput: Record<string, unknown>;
  quote: CallCost;
  billing: string;
  accountId: string;
  /** The account to which worker time is attributed. */
  caller: WorkerCaller;
  /** The credential for provider requests; null if the skill uses no provider. */
  credential: CallCredential | null;
}

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
 * Prepares a call: checks tool, skill, claim, input, availability, billing and credentials, before
 * limits and funds.
 * @throws GatewayError TOOL_NOT_FOUND, SKILL_NOT_FOUND, CLAIM_REQUIRED, INVALID_INPUT,
 *   TOOL_UNAVAILABLE, FORBIDDEN, MISSING_CREDENTIALS
 */
export async function prepareCall(context: KeyContext, call: CallInput, id: string): Promise<PreparedCall> {
  const { tool, skill, needsClaim, prepared } = resolveCall(context, call);
  if (needsClaim) await requireClaimed(context);
  if (!prepared.ok) throw invalidFields(fieldErrors(prepared.error, 'input'), { billed: false });
  const missing = await findUnavailableReason(context.runtime, tool, skill);
  if (missing !== null)
    throw new GatewayError('TOOL_UNAVAILABLE', {
      message: `${tool.displayName} is not available here: ${missing}`,
      details: { billed: false },
    });
  const { accountId, billing } =
    resolvePersonalAccount(context.actor, call.billing) ??
    (await findChargedTeam(context.runtime, context.actor, call.billing));
  const { input } = prepared;
  const slots = getProviderRequirements(skill, input);
  const credential = slots.length === 0 ? null : await getCredential(context, slots);
  const quote = quoteWithCredential(skill, prepared, credential, context.runtime.settings.byokRatePpm);
  return {
    id,
    keyId: context.actor.keyId,
    tool,
    skill,
    input,
    rawInput: call.input,
    quote,
    billing,
    accountId,
    caller: toWorkerCaller(context.actor),
    credential,
  };
}

function toWorkerCaller({ accountId, accountType }: KeyContext['actor']): WorkerCaller {
  return { accountId, provisional: accountType === 'provisional', spentMs: 0 };
}

async function getCredential(
  context: KeyContext,
  slots: readonly AnyProviderName[],
): Promise<CallCredential> {
  const credential = await chooseCredential(context, slots);
  if (!credential) throw missingCredentials(context.runtime, slots);
  return credential;
}

/**
 * Admits a call: PostgreSQL decides on hold, concurrency slot and rate windows.
 * @param open the statement to use; by default the group commit of calls that run here
 * @throws GatewayError every refusal of open_calls
 */
export async function admitCall(
  context: KeyContext,
  call: PreparedCall,
  claim: RequestLease | null,
  open: (request: OpenRequest) => Promise<OpenResult> = context.runtime.flush.openCall,
): Promise<AdmittedCall> {
  const opened = await tryAdmitCall(context, call, claim, open);
  if ('refused' in opened) throw refusalError(opened.refused, context.runtime, call);
  return opened;
}

/** Like admitCall, but returns a refusal instead of throwing it. */
export async function tryAdmitCall(
  context: KeyContext,
  call: PreparedCall,
  claim: RequestLease | null,
  open: (request: OpenRequest) => Promise<OpenResult> = context.runtime.flush.openCall,
): Promise<AdmittedCall | { refused: OpenResult }> {
  // Set before the statement: if its response is lost, the call may be open and a worker may run
  // it, so the idempotency record must stay.
  if (claim) claim.started = true;
  const request = toOpenRequest(call);
  const { running } = context.runtime;
  let result: OpenResult;
  running.opensInFlight++;
  try {
    result = await open(request);
    if (result.outcome === 'moved') result = await openOnNewAccount(context, request, open, result);
  } finally {
    running.opensInFlight--;
  }
  Object.assign(context.reply.headers, callRateHeaders(result.windows, context.runtime.quotas));
  if (result.outcome !== 'opened') {
    if (claim) claim.started = false;
    return { refused: result };
  }
  if (claim?.mayHaveExpired() && !(await claim.renew())) {
    await discardAdmitted(context.runtime, call);
    throw createInProgress();
  }
  return { availableAfterHold: result.available, storesResponse: claim !== null, resumed: false, ...call };
}

/**
 * Ends an opened call without a charge: this process stalled beyond its lease, and another run of
 * the same request has taken over.
 */
async function discardAdmitted({ sql, flush }: Runtime, { id, keyId }: PreparedCall): Promise<void> {
  const error = createInProgress();
  const nothing = { id, keyId, success: false, markup: 0n, raw: 0n, byok: false, latencyMs: 0 };
  const ended = { ...nothing, errorCode: error.code, error: error.message, result: 'null' };
  for (const fence of [flush.fence, QUEUE_FENCE]) await finishCalls(sql, [ended], fence);
}

function toOpenRequest(call: PreparedCall): OpenRequest {
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
