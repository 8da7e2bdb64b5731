import { ZodError } from 'zod';
import type { CallCredential } from '../../catalog/credentials/call-credential';
import { chooseCredential, missingCredentials } from '../../catalog/credentials/choose-credential';
import { findUnavailableReason } from '../../catalog/tools/find-unavailable-reason';
import { claimRequired } from '../../core/claims/claim-url';
import { GatewayError } from '../../core/errors/gateway-error';
import { type KeyRules, requireAllowedTool } from '../../core/limits/key-rules';
import type { Runtime } from '../../core/runtime';
import { PAYER_ACTOR } from '../../core/trpc/actor';
import type { KeyContext } from '../../core/trpc/context';
import { fieldErrors, invalidFields } from '../../core/trpc/format-error';
import { omitNulls } from '../../kit/omit-nulls';
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
 * Prepares a call: checks tool, skill, claim, input, availability, billing, credentials and price,
 * before limits and funds.
 * @throws GatewayError TOOL_NOT_FOUND, SKILL_NOT_FOUND, TOOL_NOT_ALLOWED, CLAIM_REQUIRED,
 *   INVALID_INPUT, TOOL_UNAVAILABLE, FORBIDDEN, MISSING_CREDENTIALS, COST_LIMIT_EXCEEDED
 */
export async function prepareCall(context: KeyContext, call: CallInput, id: string): Promise<PreparedCall> {
  const { imports } = context.runtime;
  // Until the first read, prices are those of the release.
  if (!imports.isLoaded) await imports.refresh();
  const { tool, skill, needsClaim, prepared: resolved } = resolveCall(context, call);
  if (needsClaim) await requireClaimed(context);
  const prepared = skill.slowChecks ? await checkInputSlowly(context, skill, resolved) : resolved;
  if (!prepared.ok) throw invalidFields(fieldErrors(prepared.error, 'input'), { billed: false });
  const missing = await findUnavailableReason(context.runtime, tool, skill);
  if (missing !== null)
    throw new GatewayError('TOOL_UNAVAILABLE', {
      message: `${tool.displayName}: unavailable. ${missing}`,
      details: { billed: false },
    });
  const { accountId, billing, chargedTo } =
    resolveOwnAccount(context.actor, call.billing) ??
    (await findChargedTeam(context.runtime, context.actor, call.billing));
  const { input } = prepared;
  const slots = getProviderRequirements(skill, input);
  const credential = slots.length === 0 ? null : await getCredential(context, slots);
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
    webhookUrl: call.webhook === undefined ? null : checkWebhook(context.runtime, call.webhook),
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

async function getCredential(
  context: KeyContext,
  slots: readonly AnyProviderName[],
): Promise<CallCredential> {
  const credential = await chooseCredential(context, slots);
  if (!credential) throw missingCredentials(context.runtime, slots);
  return credential;
}

/** Skills with at least this estimated duration are queued instead of run in this process. */
const QUEUED_FROM_SECONDS = 30;

function isQueued({ settings }: Pick<Runtime, 'settings'>, { annotations }: AnySkill): boolean {
  return settings.jobs !== 'off' && annotations.estimatedSeconds >= QUEUED_FROM_SECONDS;
}

/**
 * The outcome of the first checks. `needsClaim` takes precedence over invalid input:
 * `requireClaimed`.
 */
export interface ResolvedCall extends FoundSkill {
  needsClaim: boolean;
  prepared: QuotedInput;
}

/**
 * The first checks of a call, shared by real calls and dry runs: tool, skill, the key's list of
 * tools, claim, input, price. Pure.
 * @throws GatewayError TOOL_NOT_FOUND, SKILL_NOT_FOUND, TOOL_NOT_ALLOWED
 */
export function resolveCall({ runtime, actor }: KeyContext, call: CallInput): ResolvedCall {
  const { tool, skill } = getSkill(runtime.tools, call.tool, call.skill);
  requireAllowedTool(actor.rules, tool.name, skill.name);
  const prepared = validateAndQuote(skill, call.input, {
    byok: false,
    byokRatePpm: runtime.settings.byokRatePpm,
  });
  const needsClaim = actor.accountType === 'provisional' && !actor.prepaid && !skill.price.free;
  return { tool, skill, needsClaim, prepared };
}

/** @throws GatewayError CLAIM_REQUIRED, with the claim link for a person */
export async function requireClaimed({ runtime, actor }: KeyContext): Promise<never> {
  const message = 'Paid tools need a claimed account.';
  throw await claimRequired(runtime, actor.accountId, message, { billed: false });
}

/**
 * Finds the skill that a call names.
 * @throws GatewayError TOOL_NOT_FOUND, SKILL_NOT_FOUND
 */
export function getSkill(lookup: ToolLookup, toolName: string, skillName: string): FoundSkill {
  const tool = lookup.findTool(toolName);
  if (!tool) throw toolNotFound(lookup, toolName, { skill: skillName, details: { billed: false } });
  const skill = lookup.findSkill(tool, skillName);
  if (!skill) throw skillNotFound(tool, skillName, { billed: false });
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
  const parsed = skill.input.safeParse(omitNulls(skill.input, rawInput));
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

/** Whether the fast path is open to some calls of the skill; its input decides. */
export function mayTakeFastPath(
  { tools }: Pick<Runtime, 'tools'>,
  call: Pick<CallInput, 'tool' | 'skill'>,
): boolean {
  const tool = tools.findTool(call.tool);
  return tool !== undefined && tools.findSkill(tool, call.skill)?.takesFastPath !== undefined;
}

/** @throws GatewayError UNAVAILABLE once the process is shutting down */
export function rejectDuringShutdown({ running }: Pick<Runtime, 'running'>): void {
  if (running.stopping)
    throw new GatewayError('UNAVAILABLE', {
      message: 'This gateway process is shutting down.',
      details: { retry_after: 1, billed: false },
    });
}
