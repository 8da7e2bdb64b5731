import { GatewayError } from '../../core/errors/gateway-error';
import { chooseQuotas, toQuotas } from '../../core/limits/key-rules';
import { mapWindows } from '../../core/limits/limits';
import type { Runtime } from '../../core/runtime';
import { usdFromMicrousd } from '../../kit/money';
import type { AccountLimits, Limits } from './schema';
import { findLimits, type LimitColumnsOrNull } from './store';

/** Converts columns, in the order of CALL_WINDOWS, to the wire shape; null: the gateway's. Pure. */
export function describeLimits(
  { quotas, settings }: Pick<Runtime, 'quotas' | 'settings'>,
  { callQuotas, concurrentCalls, assetQuotaMib, monthLimitMaxMicrousd: max }: LimitColumnsOrNull,
): Limits {
  const { perWindow, concurrent } = chooseQuotas(quotas, toQuotas(callQuotas, concurrentCalls));
  return {
    ...mapWindows((_, place) => perWindow[place] ?? 0),
    concurrent,
    storage_mib: assetQuotaMib ?? settings.assetQuotaMib,
    month_limit_max_usd: max === null ? null : usdFromMicrousd(max),
  };
}

/** The limits of accounts without a plan. */
export const NO_LIMITS: LimitColumnsOrNull = {
  callQuotas: null,
  concurrentCalls: null,
  assetQuotaMib: null,
  monthLimitMaxMicrousd: null,
};

/** The limits of an account, and where they come from. @throws GatewayError NOT_FOUND */
export async function getAccountLimits(
  runtime: Pick<Runtime, 'db' | 'quotas' | 'settings'>,
  accountId: string,
): Promise<AccountLimits> {
  const row = await findLimits(runtime.db, accountId);
  if (!row) throw new GatewayError('NOT_FOUND', { message: `There is no account ${accountId}.` });
  return {
    ...describeLimits(runtime, row),
    source: row.callQuotas === null ? 'gateway' : row.ownLimits ? 'own' : 'plan',
    plan: row.plan && { id: row.plan.id, name: row.plan.name },
  };
}

/** The name of the account's plan; null if it has none. */
export async function findPlanName({ db }: Pick<Runtime, 'db'>, accountId: string): Promise<string | null> {
  return (await findLimits(db, accountId))?.plan?.name ?? null;
}
