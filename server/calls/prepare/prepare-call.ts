import type { CallCredential } from '../../catalog/credentials/call-credential';
import { fieldErrors, invalidFields } from '../../core/errors/field-errors';
import { GatewayError } from '../../core/errors/gateway-error';
import type { KeyRules } from '../../core/limits/key-rules';
import type { Runtime } from '../../core/runtime';
import { PAYER_ACTOR } from '../../core/trpc/actor';
import type { KeyContext } from '../../core/trpc/context';
import { toWorkerCaller, type WorkerCaller } from '../../platform/workers/worker-callers';
import type { AnySkill, ToolDefinition } from '../../tools/sdk/define-tool';
import type { FoundSkill } from '../../tools/tool-lookup';
import type { CallInput } from '../schema';
import { bindPrice, getPaidLimit } from './bind-price';
import { type ChargedAccount, findChargedTeam, resolveOwnAccount } from './choose-billing';
import { findMeans, getProviderRequirements } from './find-means';
import { findMissingClaim } from './find-missing-claim';
import { type CallCost, limitCost, quoteWithCredential } from './price-call';
import type { BoundPrices } from './quote';
import { resolveCall } from './resolve-call';
import { checkInputSlowly } from './validate-input';

/** Skills with at least this estimated duration are queued instead of run in this process. */
const QUEUED_FROM_SECONDS = 30;

/** A prepared call: it passed every check that needs no lock, and its maximum cost is known. */
export interface PreparedCall extends FoundSkill, ChargedAccount {
  id: string;
  keyId: string;
  input: unknown;
  /** The input as sent; a worker parses it again. */
  rawInput: Record<string, unknown>;
  /** Its maximum cost. */
  quote: CallCost;
  /** The prices of its quote, or of now if a worker runs it later; null for the current ones. */
  bound: BoundPrices | null;
  /** The key's rules that allowed the call; admission refuses it if the key has others. */
  rules: KeyRules | null;
  rulesVersion: number;
  /** The account to which worker time is attributed. */
  caller: WorkerCaller;
  /** A worker runs the call, because it takes long; otherwise this process does. */
  queued: boolean;
  /** The credential for provider requests; null if the skill uses no provider. */
  credential: CallCredential | null;
  /** Receives the end of the call if it becomes a job. */
  webhookUrl: string | null;
}

/**
 * Prepares a call: checks tool, skill, input, availability, credentials, claim, billing and price,
 * in this order, before limits and funds: nobody claims or pays for a call that cannot run.
 * @throws GatewayError TOOL_NOT_FOUND, SKILL_NOT_FOUND, TOOL_NOT_ALLOWED, INVALID_INPUT,
 *   TOOL_UNAVAILABLE, MISSING_CREDENTIALS, CLAIM_REQUIRED, FORBIDDEN, COST_LIMIT_EXCEEDED
 */
export async function prepareCall(context: KeyContext, call: CallInput, id: string): Promise<PreparedCall> {
  const { imports } = context.runtime;
  // Until the first read, prices are those of the release.
  if (!imports.isLoaded) await imports.refresh();
  const { tool, skill, webhookUrl, prepared: resolved } = resolveCall(context, call);
  const prepared = skill.slowChecks ? await checkInputSlowly(context.actor, skill, resolved) : resolved;
  if (!prepared.ok) throw invalidFields(fieldErrors(prepared.error, 'input'), { billed: false });
  const { input } = prepared;
  const slots = getProviderRequirements(skill, input);
  const { outage, credential } = await findMeans(context, { tool, skill }, slots);
  if (outage !== null) throw toolUnavailable(tool, outage);
  if (slots.length > 0 && credential === null) throw context.runtime.credentials.describeMissing(slots);
  const missingClaim = findMissingClaim(context, skill);
  if (missingClaim) throw await missingClaim;
  const { accountId, billing, chargedTo } =
    resolveOwnAccount(context.actor, call.billing) ??
    (await findChargedTeam(context.runtime, context.actor, call.billing));
  const { settings } = context.runtime;
  const { byokRatePpm } = settings;
  const { paidMicrousd } = context;
  const listed = quoteWithCredential(skill, prepared, credential, byokRatePpm);
  // The price may have risen since the payment, which nobody could then undo.
  const current =
    paidMicrousd === undefined ? listed : limitCost(listed, getPaidLimit(paidMicrousd, call.max_cost_usd));
  const queued = isQueued(context.runtime, skill);
  let quote = current;
  let bound: BoundPrices | null = null;
  if (call.quote_id !== undefined || call.max_cost_usd !== undefined) {
    const byok = credential?.isByok === true;
    const holder = paidMicrousd === undefined ? accountId : PAYER_ACTOR.accountId;
    const quoted = { accountId: holder, tool: tool.name, skill, input, rawInput: call.input, byok };
    const now = paidMicrousd === undefined ? Date.now() : 0;
    ({ quote, bound } = bindPrice(settings, call, quoted, current, now));
  }
  // An operator may change the price before a worker runs it.
  if (queued) bound ??= { max: quote, rates: skill.price.rates(input), byokRatePpm };
  return {
    id,
    keyId: context.actor.keyId,
    tool,
    skill,
    input,
    rawInput: call.input,
    quote,
    bound,
    rules: context.actor.rules,
    rulesVersion: context.actor.rulesVersion,
    billing,
    chargedTo,
    accountId,
    caller: toWorkerCaller(context.actor),
    queued,
    credential,
    webhookUrl,
  };
}

function toolUnavailable({ displayName }: ToolDefinition, reason: string): GatewayError {
  return new GatewayError('TOOL_UNAVAILABLE', {
    message: `${displayName}: unavailable. ${reason}`,
    details: { billed: false },
  });
}

function isQueued({ settings }: Pick<Runtime, 'settings'>, { annotations }: AnySkill): boolean {
  return settings.jobs !== 'off' && annotations.estimatedSeconds >= QUEUED_FROM_SECONDS;
}
