import { usdFromMicrousd } from '../billing/money';
import { GatewayError } from '../errors/gateway-error';
import type { KeyContext } from '../trpc/context';
import { fieldPath } from '../trpc/format-error';
import { chargedToOwn, findChargedTeam } from './choose-billing';
import { planCall, refuseUnclaimed } from './plan-call';
import { total } from './price-call';
import type { CallInput, DryRunResult } from './schema';
import { findSpendable, type Spendable } from './store';

/**
 * What a call would meet, without running, charging or counting it.
 * @throws GatewayError TOOL_NOT_FOUND, SKILL_NOT_FOUND, CLAIM_REQUIRED, FORBIDDEN; bad input is an answer, not an error
 */
export async function dryRunCall(context: KeyContext, call: CallInput): Promise<DryRunResult> {
  const { runtime, actor } = context;
  const { needsClaim, prepared } = planCall(context, call);
  if (needsClaim) await refuseUnclaimed(context);
  const charged = chargedToOwn(actor, call.billing) ?? (await findChargedTeam(runtime, actor, call.billing));
  const spendable = await findSpendable(runtime.sql, charged.accountId, actor.keyId);
  if (!spendable || spendable.frozen || actor.accountFrozen)
    throw new GatewayError('FORBIDDEN', { message: 'This account is frozen.', details: { billed: false } });

  const cost = prepared.ok ? total(prepared.quote) : 0n;
  const sufficient = covers(spendable, cost);
  const { quotas } = runtime;
  const { minuteUsed, hourUsed } = actor.windows;
  const remaining = Math.max(0, Math.min(quotas.perMinute - minuteUsed, quotas.perHour - hourUsed));
  return {
    valid: prepared.ok && sufficient && remaining > 0,
    input_valid: prepared.ok,
    input_errors: prepared.ok
      ? []
      : prepared.error.issues.map((issue) => ({
          path: fieldPath(['input', ...issue.path]),
          code: issue.code ?? 'invalid',
          message: issue.message,
        })),
    credentials_ok: true,
    missing_credentials: [],
    billing: { balance_usd: usdFromMicrousd(spendable.available), sufficient },
    rate_limit: { remaining, limit: quotas.perMinute },
    estimated_cost_usd: usdFromMicrousd(cost),
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
