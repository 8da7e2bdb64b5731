import { ZodError } from 'zod';
import { describeProviderKeys } from '../../catalog/credentials/describe-provider-keys';
import { accountFrozen } from '../../core/errors/account-frozen';
import { fieldErrors } from '../../core/errors/field-errors';
import { limitQuotas } from '../../core/limits/key-rules';
import { callPolicies, findTightest } from '../../core/limits/rate-headers';
import type { Runtime } from '../../core/runtime';
import type { KeyContext } from '../../core/trpc/context';
import { usdFromMicrousd } from '../../kit/money';
import type { CallInput, DryRunResult, Quote } from '../schema';
import { isOverLimit } from './bind-price';
import { findChargedTeam, resolveOwnAccount } from './choose-billing';
import { findMeans, getProviderRequirements } from './find-means';
import { findMissingClaim } from './find-missing-claim';
import { type CallCost, quoteWithCredential, sumCost } from './price-call';
import { createQuote, readQuote } from './quote';
import { type ResolvedCall, resolveCall } from './resolve-call';
import { findRefusal } from './store';
import { checkInputSlowly } from './validate-input';

/**
 * Checks and prices a call without running, charging or counting it, in turn with other reads.
 * @throws GatewayError TOOL_NOT_FOUND, SKILL_NOT_FOUND, FORBIDDEN; INVALID_INPUT for an
 *   invalid provider key header or quote; UNAVAILABLE. Invalid input and a missing claim are
 *   results.
 */
export async function dryRunCall(request: KeyContext, call: CallInput): Promise<DryRunResult> {
  return await request.runtime.reads.inTurn('read', request, () => checkAndPrice(request, call));
}

async function checkAndPrice(request: KeyContext, call: CallInput): Promise<DryRunResult> {
  const { runtime } = request;
  const actor = (await request.confirmActor?.()) ?? request.actor;
  const context: KeyContext = Object.assign({}, request, { actor });
  context.reply.deprecation ??= runtime.versions.findToolNotice(call.tool, call.skill);
  // Until the first read, prices are those of the release.
  if (!runtime.imports.isLoaded) await runtime.imports.refresh();
  const found = resolveCall(context, call);
  const { skill } = found;
  const prepared = await checkInputSlowly(actor, skill, found.prepared);
  const resolved: ResolvedCall = { ...found, prepared };
  // Invalid input does not say which providers fit: check all of the skill.
  const slots = prepared.ok ? getProviderRequirements(skill, prepared.input) : (skill.requirements ?? []);
  const { outage, credential } = await findMeans(context, found, slots);
  const claim = await findMissingClaim(context, skill);
  const charged =
    resolveOwnAccount(actor, call.billing) ?? (await findChargedTeam(runtime, actor, call.billing));
  const credentialsOk = slots.length === 0 || credential !== null;
  const byok = credential?.isByok === true;
  const { max, quote } = priceDryRun(runtime, call, resolved, { accountId: charged.accountId, byok });
  const cost = sumCost(max);
  const withinMaxCost = !isOverLimit(max, call.max_cost_usd);
  const { available, refusal } = await findRefusal(runtime.sql, {
    ...charged,
    keyId: actor.keyId,
    rulesVersion: actor.rulesVersion,
    hold: cost,
  });
  if (refusal === 'frozen' || actor.accountFrozen) throw accountFrozen({ details: { billed: false } });
  const sufficient = refusal === null;
  const { remaining, quota: limit } = findTightest(
    callPolicies(actor.windows, limitQuotas(runtime.quotas, actor.rules)),
  );
  const canRun = prepared.ok && credentialsOk && outage === null && claim === null;
  return {
    status: 'dry_run',
    valid: canRun && sufficient && withinMaxCost && remaining > 0,
    input_valid: prepared.ok,
    input_errors: prepared.ok
      ? []
      : prepared.error.issues.flatMap((issue) =>
          fieldErrors(new ZodError([issue]), 'input').map((field) =>
            Object.assign(field, { code: issue.code ?? 'invalid' }),
          ),
        ),
    credentials_ok: credentialsOk,
    missing_credentials: credentialsOk ? [] : describeProviderKeys(runtime, slots),
    billing: { balance_usd: usdFromMicrousd(available), sufficient },
    rate_limit: { remaining, limit },
    estimated_cost_usd: usdFromMicrousd(cost),
    // A claim changes the account, and a quote is valid for one.
    ...(quote && credentialsOk && !claim ? { quote } : {}),
    ...(call.max_cost_usd === undefined ? {} : { within_max_cost: withinMaxCost }),
    availability: outage !== null ? 'unavailable' : credentialsOk ? 'ready' : 'needs_provider_key',
    ...(outage === null ? {} : { unavailable_reason: outage }),
    claim_required: claim !== null,
    ...(claim?.details.claim_url ? { claim_url: claim.details.claim_url } : {}),
  };
}

/**
 * The maximum cost, and the quote that fixes its prices. With `quote_id` they are those of that
 * quote: a dry run does not extend it.
 */
function priceDryRun(
  { settings }: Pick<Runtime, 'settings'>,
  { quote_id: quoteId, input: rawInput }: CallInput,
  { tool, skill, prepared }: ResolvedCall,
  { accountId, byok }: { accountId: string; byok: boolean },
): { max: CallCost; quote: Quote | null } {
  if (!prepared.ok) return { max: { markup: 0n, raw: 0n }, quote: null };
  const quoted = { accountId, tool: tool.name, skill, input: prepared.input, rawInput, byok };
  if (quoteId !== undefined) return readQuote(settings, quoted, quoteId);
  const max = quoteWithCredential(skill, prepared, { isByok: byok }, settings.byokRatePpm);
  return { max, quote: createQuote(settings, quoted, max) };
}
