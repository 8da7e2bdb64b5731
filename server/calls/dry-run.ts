import { chooseCredential, describeMissing } from '../catalog/credentials/choose-credential';
import { whyUnavailable } from '../catalog/tools/why-unavailable';
import { GatewayError } from '../core/errors/gateway-error';
import type { KeyContext } from '../core/trpc/context';
import { fieldError } from '../core/trpc/format-error';
import { usdFromMicrousd } from '../kit/money';
import { chargedToOwn, findChargedTeam } from './choose-billing';
import { planCall, refuseUnclaimed } from './plan-call';
import { quoteFor, slotsOf } from './prepare-call';
import { total } from './price-call';
import type { CallInput, DryRunResult } from './schema';
import { findSpendable, type Spendable } from './store';

/**
 * What a call would meet, without running, charging or counting it.
 * @throws GatewayError TOOL_NOT_FOUND, SKILL_NOT_FOUND, CLAIM_REQUIRED, FORBIDDEN; INVALID_INPUT
 *   for a bad provider-key header; bad input is an answer, not an error
 */
export async function dryRunCall(context: KeyContext, call: CallInput): Promise<DryRunResult> {
  const { runtime, actor } = context;
  context.reply.deprecation ??= runtime.versions.ofTool(call.tool, call.skill);
  const { tool, skill, needsClaim, prepared } = planCall(context, call);
  if (needsClaim) await refuseUnclaimed(context);
  const unavailable = await whyUnavailable(runtime, tool, skill);
  const charged = chargedToOwn(actor, call.billing) ?? (await findChargedTeam(runtime, actor, call.billing));
  const spendable = await findSpendable(runtime.sql, charged.accountId, actor.keyId);
  if (!spendable || spendable.frozen || actor.accountFrozen)
    throw new GatewayError('FORBIDDEN', { message: 'This account is frozen.', details: { billed: false } });

  // Of a wrong input nobody knows which providers would fit.
  const slots = prepared.ok ? slotsOf(skill, prepared.input) : (skill.requirements ?? []);
  const credential = slots.length === 0 ? null : await chooseCredential(context, slots);
  const credentialsOk = slots.length === 0 || credential !== null;
  const cost = prepared.ok ? total(quoteFor(skill, prepared, credential, runtime.settings.byokRatePpm)) : 0n;
  const sufficient = covers(spendable, cost);
  const { quotas } = runtime;
  const { minuteUsed, hourUsed } = actor.windows;
  const remaining = Math.max(0, Math.min(quotas.perMinute - minuteUsed, quotas.perHour - hourUsed));
  return {
    valid: prepared.ok && credentialsOk && unavailable === null && sufficient && remaining > 0,
    input_valid: prepared.ok,
    input_errors: prepared.ok
      ? []
      : prepared.error.issues.map((issue) =>
          Object.assign(fieldError(issue, 'input'), { code: issue.code ?? 'invalid' }),
        ),
    credentials_ok: credentialsOk,
    missing_credentials: credentialsOk ? [] : describeMissing(runtime, slots),
    billing: { balance_usd: usdFromMicrousd(spendable.available), sufficient },
    rate_limit: { remaining, limit: quotas.perMinute },
    estimated_cost_usd: usdFromMicrousd(cost),
    ...(unavailable === null ? {} : { unavailable_reason: unavailable }),
  };
}

function covers(spendable: Spendable, cost: bigint): boolean {
  if (cost === 0n) return true;
  const { available, debt, disputed, monthLeft, keyLeft } = spendable;
  return (
    debt === 0n &&
    !disputed &&
    available >= cost &&
    (monthLeft === null || monthLeft >= cost) &&
    (keyLeft === null || keyLeft >= cost)
  );
}
