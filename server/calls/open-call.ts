import type { CallCredential } from '../catalog/credentials/call-credential';
import { chooseCredential, missingCredentials } from '../catalog/credentials/choose-credential';
import { whyUnavailable } from '../catalog/tools/why-unavailable';
import { GatewayError } from '../core/errors/gateway-error';
import { type Claim, inProgress } from '../core/idempotency/once';
import { callRateHeaders } from '../core/limits/rate-headers';
import type { Runtime } from '../core/runtime';
import type { KeyContext } from '../core/trpc/context';
import { fieldErrors, invalidFields } from '../core/trpc/format-error';
import type { AnySlot } from '../platform/settings/providers';
import type { WorkerCaller } from '../platform/workers/worker-callers';
import { chargedToOwn, findChargedTeam } from './choose-billing';
import { finishCalls, QUEUE_FENCE } from './job-store';
import { planCall, refuseUnclaimed } from './plan-call';
import { type FoundSkill, quoteFor, slotsOf } from './prepare-call';
import { type CallCost, total } from './price-call';
import { refusalError } from './refusal-error';
import type { CallInput } from './schema';
import type { OpenRequest, OpenResult } from './store';

/** How often a key moved by an account claim is resolved again before the call fails. */
const MAX_MOVES = 3;

/** A prepared call: it passed every check that needs no lock, and its maximum cost is known. */
export interface ReadyCall extends FoundSkill {
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
export interface OpenedCall extends ReadyCall {
  availableAfterHold: bigint;
  /** The call has an Idempotency-Key: its response is stored when it ends. */
  kept: boolean;
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
export async function readyCall(context: KeyContext, call: CallInput, id: string): Promise<ReadyCall> {
  const { tool, skill, needsClaim, prepared } = planCall(context, call);
  if (needsClaim) await refuseUnclaimed(context);
  if (!prepared.ok) throw invalidFields(fieldErrors(prepared.error, 'input'), { billed: false });
  const missing = await whyUnavailable(context.runtime, tool, skill);
  if (missing !== null)
    throw new GatewayError('TOOL_UNAVAILABLE', {
      message: `${tool.displayName} is not available here: ${missing}`,
      details: { billed: false },
    });
  const { accountId, billing } =
    chargedToOwn(context.actor, call.billing) ??
    (await findChargedTeam(context.runtime, context.actor, call.billing));
  const { input } = prepared;
  const slots = slotsOf(skill, input);
  const credential = slots.length === 0 ? null : await getCredential(context, slots);
  const quote = quoteFor(skill, prepared, credential, context.runtime.settings.byokRatePpm);
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
    caller: callerOf(context.actor),
    credential,
  };
}

function callerOf({ accountId, accountType }: KeyContext['actor']): WorkerCaller {
  return { accountId, provisional: accountType === 'provisional', spentMs: 0 };
}

async function getCredential(context: KeyContext, slots: readonly AnySlot[]): Promise<CallCredential> {
  const credential = await chooseCredential(context, slots);
  if (!credential) throw missingCredentials(context.runtime, slots);
  return credential;
}

/**
 * Admits a call: PostgreSQL decides on hold, concurrency slot and rate windows.
 * @param open the statement to use; by default the group commit of calls that run here
 * @throws GatewayError every refusal of open_calls
 */
export async function openCall(
  context: KeyContext,
  call: ReadyCall,
  claim: Claim | null,
  open: (request: OpenRequest) => Promise<OpenResult> = context.runtime.flush.openCall,
): Promise<OpenedCall> {
  const opened = await tryOpenCall(context, call, claim, open);
  if ('refused' in opened) throw refusalError(opened.refused, context.runtime, call);
  return opened;
}

/** Like admitCall, but returns a refusal instead of throwing it. */
export async function tryOpenCall(
  context: KeyContext,
  call: ReadyCall,
  claim: Claim | null,
  open: (request: OpenRequest) => Promise<OpenResult> = context.runtime.flush.openCall,
): Promise<OpenedCall | { refused: OpenResult }> {
  // Set before the statement: if its response is lost, the call may be open and a worker may run
  // it, so the idempotency record must stay.
  if (claim) claim.started = true;
  const request = requestOf(call);
  const { running } = context.runtime;
  let result: OpenResult;
  running.opening++;
  try {
    // From here a refusal is the decision of the database: procedures.ts must not repeat the
    // request under a new call id.
    context.reply.keyConfirmed = true;
    result = await open(request);
    if (result.outcome === 'moved') result = await openWhereItMoved(context, request, open, result);
  } finally {
    running.opening--;
  }
  Object.assign(context.reply.headers, callRateHeaders(result.windows, context.runtime.quotas));
  if (result.outcome !== 'opened') {
    if (claim) claim.started = false;
    return { refused: result };
  }
  if (claim?.mayBeLost() && !(await claim.isOurs())) {
    await dropOpened(context.runtime, call);
    throw inProgress();
  }
  return { availableAfterHold: result.available, kept: claim !== null, resumed: false, ...call };
}

/**
 * Ends an opened call without a charge: this process stalled beyond its lease, and another run of
 * the same request has taken over.
 */
async function dropOpened({ sql, flush }: Runtime, { id, keyId }: ReadyCall): Promise<void> {
  const error = inProgress();
  const nothing = { id, keyId, success: false, markup: 0n, raw: 0n, byok: false, latencyMs: 0 };
  const ended = { ...nothing, errorCode: error.code, error: error.message, result: 'null' };
  for (const fence of [flush.fence, QUEUE_FENCE]) await finishCalls(sql, [ended], fence);
}

function requestOf(call: ReadyCall): OpenRequest {
  const { id, keyId, accountId, billing, tool, skill, quote } = call;
  return { id, keyId, accountId, billing, tool: tool.name, skill: skill.name, hold: total(quote) };
}

/** Opens the call on the new account of its key, which an account claim has just moved. */
async function openWhereItMoved(
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
