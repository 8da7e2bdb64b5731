import { GatewayError } from '../../core/errors/gateway-error';
import type { Runtime } from '../../core/runtime';
import { usdFromMicrousd } from '../../kit/money';
import type { AccountLimits, Plan } from './schema';
import { findLimits, type LimitColumns } from './store';

type WireLimits = Pick<
  Plan,
  'concurrent' | 'month_limit_max_usd' | 'per_hour' | 'per_minute' | 'storage_mib'
>;

/** Converts columns, in the order of CALL_WINDOWS, to the wire shape. Pure. */
export function describeLimits(row: LimitColumns): WireLimits {
  const [perMinute = 0, perHour = 0] = row.callQuotas;
  return {
    per_minute: perMinute,
    per_hour: perHour,
    concurrent: row.concurrentCalls,
    storage_mib: row.assetQuotaMib,
    month_limit_max_usd:
      row.monthLimitMaxMicrousd === null ? null : usdFromMicrousd(row.monthLimitMaxMicrousd),
  };
}

/** The limits of accounts without a plan. */
export function getGatewayLimits({ quotas, settings }: Pick<Runtime, 'quotas' | 'settings'>): WireLimits {
  return describeLimits({
    callQuotas: [...quotas.perWindow],
    concurrentCalls: quotas.concurrent,
    assetQuotaMib: settings.assetQuotaMib,
    monthLimitMaxMicrousd: null,
  });
}

/** The limits of an account, and where they come from. @throws GatewayError NOT_FOUND */
export async function getAccountLimits(
  runtime: Pick<Runtime, 'db' | 'quotas' | 'settings'>,
  accountId: string,
): Promise<AccountLimits> {
  const row = await findLimits(runtime.db, accountId);
  if (!row) throw new GatewayError('NOT_FOUND', { message: `There is no account ${accountId}.` });
  const { callQuotas, concurrentCalls, assetQuotaMib, monthLimitMaxMicrousd, ownLimits, plan } = row;
  const named = plan && { id: plan.id, name: plan.name };
  if (callQuotas === null || concurrentCalls === null || assetQuotaMib === null)
    return { ...getGatewayLimits(runtime), source: 'gateway', plan: named };
  const limits = describeLimits({ callQuotas, concurrentCalls, assetQuotaMib, monthLimitMaxMicrousd });
  return { ...limits, source: ownLimits ? 'own' : 'plan', plan: named };
}

/** The name of the account's plan; null if it has none. */
export async function findPlanName({ db }: Pick<Runtime, 'db'>, accountId: string): Promise<string | null> {
  return (await findLimits(db, accountId))?.plan?.name ?? null;
}
