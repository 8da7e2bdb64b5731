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

/** How often a key that moved with a claim is looked up again before the call is given up. */
const MAX_MOVES = 3;

/** A call that passed every check that needs no lock, and knows what it can cost. */
export interface ReadyCall extends FoundSkill {
  id: string;
  keyId: string;
  input: unknown;
  /** As the client sent it: what a worker reads again. */
  rawInput: Record<string, unknown>;
  quote: CallCost;
  billing: string;
  accountId: string;
  /** Whose share of the workers it computes in. */
  caller: WorkerCaller;
  /** What its requests to the provider are made with; null where its skill asks none. */
  credential: CallCredential | null;
}

/** A call whose hold, slot and row are in the database. */
export interface OpenedCall extends ReadyCall {
  availableAfterHold: bigint;
  /** Sent with an Idempotency-Key: its answer is kept when it ends. */
  kept: boolean;
  /** An attempt before this one has begun, and died with its process. */
  resumed: boolean;
  /**
   * When its lease was asked for, by the monotonic clock of this process; absent where that was
   * just now.
   */
  leasedAt?: number;
}

/**
 * The checks of a call before its limits and money: tool, skill, claim, input, billing,
 * credentials.
 * @throws GatewayError TOOL_NOT_FOUND, SKILL_NOT_FOUND, CLAIM_REQUIRED, INVALID_INPUT, FORBIDDEN,
 *   MISSING_CREDENTIALS
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
 * Opens a call: hold, slot and windows are decided in Postgres.
 * @param open the statement that does it; by default the group commit of calls that run here
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

/** openCall, for those who can do something about a refusal. */
export async function tryOpenCall(
  context: KeyContext,
  call: ReadyCall,
  claim: Claim | null,
  open: (request: OpenRequest) => Promise<OpenResult> = context.runtime.flush.openCall,
): Promise<OpenedCall | { refused: OpenResult }> {
  // Before it is known: where the answer of the database is lost, the call may be open, and a
  // worker may run it.
  if (claim) claim.started = true;
  const request = requestOf(call);
  const { running } = context.runtime;
  let result: OpenResult;
  running.opening++;
  try {
    // Also where the answer is lost: what may be open is never asked for again under another id.
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
 * Another run of the same request has begun, because this one stood still for longer than its
 * lease: it ends for nothing.
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

/** Where a claim has just moved the key: opens the call on the account it moved to. */
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
