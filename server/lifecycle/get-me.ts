import { getStorageUse } from '../assets/get-storage-use';
import { accountFrozen } from '../core/errors/account-frozen';
import { limitQuotas } from '../core/limits/key-rules';
import { callPolicies } from '../core/limits/rate-headers';
import type { Runtime } from '../core/runtime';
import type { KeyActor } from '../core/trpc/actor';
import { getOwnKey } from '../identity/keys/get-key';
import { findPlanName } from '../identity/plans/get-account-limits';
import { usdFromMicrousd } from '../kit/money';
import { getOwnAccount } from '../money/billing/get-own-account';
import { getSpendingLimit } from '../money/preferences/get-spending-limit';
import type { Me } from './schema';

/**
 * Describes the key of a request: its account, its limits, and what it may still spend and store.
 * Uses no quota.
 */
export async function getMe(
  runtime: Pick<Runtime, 'db' | 'quotas' | 'settings'>,
  actor: KeyActor,
): Promise<Me> {
  const { accountId, windows, restricted } = actor;
  const quotas = limitQuotas(runtime.quotas, actor.rules);
  const [account, { key, running }, spending, storage, plan] = await Promise.all([
    getOwnAccount(runtime, actor),
    getOwnKey(runtime, actor),
    getSpendingLimit(runtime, accountId),
    getStorageUse(runtime, actor),
    findPlanName(runtime, accountId),
  ]);
  if (!account) throw accountFrozen();
  const { available, ...described } = account;
  return {
    account: described,
    plan: account.type === 'provisional' ? 'provisional' : 'prepaid',
    key,
    restricted,
    limits: {
      plan,
      windows: callPolicies(windows, quotas).map((policy) => ({
        name: policy.name,
        limit: policy.quota,
        remaining: policy.remaining,
        window_seconds: policy.windowSeconds,
        reset_seconds: policy.resetSeconds,
      })),
      concurrent: {
        limit: quotas.concurrent,
        running,
        remaining: Math.max(0, quotas.concurrent - running),
      },
    },
    allowances: {
      available_usd: usdFromMicrousd(available),
      key_credits_usd: key.credits,
      monthly_limit_usd: spending.limit === null ? null : usdFromMicrousd(spending.limit),
      spent_this_month_usd: usdFromMicrousd(spending.spent),
      storage: { used_bytes: storage.usedBytes, quota_bytes: storage.quotaBytes, files: storage.files },
    },
  };
}
