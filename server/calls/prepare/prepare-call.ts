import { ZodError } from 'zod';
import type { CallCredential } from '../../catalog/credentials/call-credential';
import { chooseCredential, missingCredentials } from '../../catalog/credentials/choose-credential';
import { findOutage, findPlatformKeyOutage } from '../../catalog/tools/availability';
import { claimRequired } from '../../core/claims/claim-url';
import { fieldErrors, invalidFields } from '../../core/errors/field-errors';
import { GatewayError } from '../../core/errors/gateway-error';
import { type KeyRules, requireAllowedTool } from '../../core/limits/key-rules';
import type { Runtime } from '../../core/runtime';
import { PAYER_ACTOR } from '../../core/trpc/actor';
import type { KeyContext } from '../../core/trpc/context';
import { readLeniently } from '../../kit/lenient-input';
import type { AnyProviderName } from '../../platform/settings/providers';
import { checkWebhookUrl } from '../../platform/webhooks/check-url';
import { setWorkerCaller, type WorkerCaller } from '../../platform/workers/worker-callers';
import type { AnySkill, ToolDefinition } from '../../tools/sdk/define-tool';
import type { ToolLookup } from '../../tools/tool-lookup';
import { skillNotFound, toolNotFound } from '../../tools/tool-not-found';
import type { CallInput } from '../schema';
import { bindPrice, getPaidLimit } from './bind-price';
import { findChargedTeam, resolveOwnAccount } from './choose-billing';
import { type CallCost, limitCost, quoteCall } from './price-call';
import type { BoundPrices } from './quote';

/** A skill and its tool. */
export interface FoundSkill {
  tool: ToolDefinition;
  skill: AnySkill;
}

/** A prepared call: it passed every check that needs no lock, and its maximum cost is known. */
export interface PreparedCall extends FoundSkill {
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
  /** `personal`: the account of the key, also if that is a team; else the slug of another team. */
  billing: string;
  /** `personal`, or the slug of the charged team. */
  chargedTo: string;
  accountId: string;
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
  const { tool, skill, prepared: resolved } = resolveCall(context, call);
  const webhookUrl = call.webhook === undefined ? null : checkWebhook(context.runtime, call.webhook);
  const prepared = skill.slowChecks ? await checkInputSlowly(context, skill, resolved) : resolved;
  if (!prepared.ok) throw invalidFields(fieldErrors(prepared.error, 'input'), { billed: false });
  const { input } = prepared;
  const slots = getProviderRequirements(skill, input);
  const { outage, credential } = await findMeans(context, { tool, skill }, slots);
  if (outage !== null) throw toolUnavailable(tool, outage);
  if (slots.length > 0 && credential === null) throw missingCredentials(context.runtime, slots);
  if (needsClaim(context, skill)) throw await claimBeforePaying(context);
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

/** @throws GatewayError INVALID_INPUT, JOBS_DISABLED */
export function checkWebhook(runtime: Pick<Runtime, 'ports' | 'settings'>, webhook: string): string {
  if (runtime.settings.jobs === 'off')
    throw new GatewayError('JOBS_DISABLED', {
      message: 'webhook: Jobs are off on this gateway, so no call can become one.',
      hint: 'Send the call without `webhook`: its response has the result.',
      details: { billed: false },
    });
  return checkWebhookUrl(runtime, webhook, 'webhook');
}

function toWorkerCaller({ accountId, accountType }: KeyContext['actor']): WorkerCaller {
  return { accountId, provisional: accountType === 'provisional', spentMs: 0 };
}

/** What a call runs with, apart from its input. */
interface CallMeans {
  /** Why the skill is unavailable, for callers; null if it is not. */
  outage: string | null;
  /** Null without providers, and if the caller and the platform have no key of them. */
  credential: CallCredential | null;
}

/**
 * Finds out whether a call can run on this gateway, and with which credential.
 * @param slots the providers that fit its input; empty if it needs none
 * @throws GatewayError INVALID_INPUT for a malformed provider key
 */
export async function findMeans(
  context: KeyContext,
  { tool, skill }: FoundSkill,
  slots: readonly AnyProviderName[],
): Promise<CallMeans> {
  const outage = await findOutage(context.runtime, tool, skill);
  const credential = slots.length === 0 ? null : await chooseCredential(context, slots);
  const needsMore = outage === null && credential?.source === 'platform';
  const missing = needsMore ? await findPlatformKeyOutage(context.runtime, skill) : outage;
  return { outage: missing?.reason ?? null, credential };
}

function toolUnavailable({ displayName }: ToolDefinition, reason: string): GatewayError {
  return new GatewayError('TOOL_UNAVAILABLE', {
    message: `${displayName}: unavailable. ${reason}`,
    details: { billed: false },
  });
}

/** Skills with at least this estimated duration are queued instead of run in this process. */
const QUEUED_FROM_SECONDS = 30;

function isQueued({ settings }: Pick<Runtime, 'settings'>, { annotations }: AnySkill): boolean {
  return settings.jobs !== 'off' && annotations.estimatedSeconds >= QUEUED_FROM_SECONDS;
}

/** The outcome of the first checks. */
export interface ResolvedCall extends FoundSkill {
  prepared: QuotedInput;
}

/**
 * The first checks of a call, shared by real calls and dry runs: tool, skill, the key's list of
 * tools, input, price. Pure.
 * @throws GatewayError TOOL_NOT_FOUND, SKILL_NOT_FOUND, TOOL_NOT_ALLOWED
 */
export function resolveCall({ runtime, actor }: KeyContext, call: CallInput): ResolvedCall {
  const { tool, skill } = getSkill(runtime.tools, call.tool, call.skill);
  requireAllowedTool(actor.rules, tool.name, skill.name);
  const prepared = validateAndQuote(skill, call.input, {
    byok: false,
    byokRatePpm: runtime.settings.byokRatePpm,
  });
  return { tool, skill, prepared };
}

/** Whether the key must be claimed before it can call the skill. */
export function needsClaim({ actor }: KeyContext, { price }: AnySkill): boolean {
  return actor.accountType === 'provisional' && !actor.prepaid && !price.free;
}

/** Creates the CLAIM_REQUIRED of a paid call, with the claim link for a person. */
export async function claimBeforePaying({ runtime, actor }: KeyContext): Promise<GatewayError> {
  const message = 'Paid tools need a claimed account.';
  return await claimRequired(runtime, actor.accountId, message, { billed: false });
}

/**
 * Finds the skill that a call names.
 * @throws GatewayError TOOL_NOT_FOUND, SKILL_NOT_FOUND
 */
export function getSkill(lookup: ToolLookup, toolName: string, skillName: string): FoundSkill {
  const tool = lookup.findTool(toolName);
  if (!tool) throw toolNotFound(lookup, toolName, { skill: skillName, details: { billed: false } });
  const skill = lookup.findSkill(tool, skillName);
  if (!skill) throw skillNotFound(lookup, tool, skillName, { billed: false });
  return { tool, skill };
}

const NO_REQUIREMENTS: readonly AnyProviderName[] = [];

/**
 * The providers that a call with this input can use, preferred first; empty if it needs none. Pure.
 */
export function getProviderRequirements(skill: AnySkill, input: unknown): readonly AnyProviderName[] {
  return skill.getRequirementsFor?.(input) ?? skill.requirements ?? NO_REQUIREMENTS;
}

export type QuotedInput = { ok: true; input: unknown; quote: CallCost } | { ok: false; error: ZodError };

/** The maximum cost of a prepared call, with the chosen credential. Pure. */
export function quoteWithCredential(
  skill: AnySkill,
  { input, quote }: QuotedInput & { ok: true },
  credential: { isByok: boolean } | null,
  byokRatePpm: bigint,
): CallCost {
  return credential?.isByok ? quoteCall(skill, input, true, byokRatePpm) : quote;
}

/**
 * Validates the input against the schema of the skill and prices it. Null for an optional field
 * means absent. Pure.
 */
export function validateAndQuote(
  skill: AnySkill,
  rawInput: Record<string, unknown>,
  options: { byok: boolean; byokRatePpm: bigint },
): QuotedInput {
  const parsed = skill.input.safeParse(readLeniently(skill.input, rawInput));
  if (!parsed.success) return { ok: false, error: parsed.error };
  const quote = quoteCall(skill, parsed.data, options.byok, options.byokRatePpm);
  return { ok: true, input: parsed.data, quote };
}

/**
 * Checks an input further, outside the event loop. The computing is the caller's, and is not
 * refunded if the call is refused.
 * @throws GatewayError UNAVAILABLE if too many such checks wait
 */
export async function checkInputSlowly(
  { actor }: Pick<KeyContext, 'actor'>,
  skill: AnySkill,
  prepared: QuotedInput,
): Promise<QuotedInput> {
  if (!prepared.ok || !skill.slowChecks) return prepared;
  const { signal } = new AbortController();
  setWorkerCaller(signal, toWorkerCaller(actor));
  const problems = await skill.slowChecks.input(prepared.input, signal).catch((cause: unknown) => {
    throw new GatewayError('UNAVAILABLE', { message: 'The input could not be checked.', cause });
  });
  if (problems.length === 0) return prepared;
  const issues = problems.map((problem) => ({ code: 'custom' as const, input: undefined, ...problem }));
  return { ok: false, error: new ZodError(issues) };
}

/** Whether the call may be rerun after a crash: its skill is annotated idempotent. */
export function isRerunnable(
  { tools }: Pick<Runtime, 'tools'>,
  call: Pick<CallInput, 'tool' | 'skill'>,
): boolean {
  const tool = tools.findTool(call.tool);
  return (tool && tools.findSkill(tool, call.skill)?.annotations.idempotent) ?? false;
}

/** @throws GatewayError UNAVAILABLE once the process is shutting down */
export function rejectDuringShutdown({ running }: Pick<Runtime, 'running'>): void {
  if (running.stopping)
    throw new GatewayError('UNAVAILABLE', {
      message: 'This gateway process is shutting down.',
      details: { retry_after: 1, billed: false },
    });
}
