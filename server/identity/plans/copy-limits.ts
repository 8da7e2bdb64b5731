import type { Executor } from '@/db/client';
import { type AccountRow, writeAccountLimits } from './store';

/**
 * Gives a new team the plan and limits of its owner's account, which the caller has locked. Later
 * changes of the plan reach both.
 */
export async function copyLimits(tx: Executor, owner: AccountRow, teamId: string): Promise<void> {
  const { planId, ownLimits, callQuotas, concurrentCalls, assetQuotaMib, monthLimitMaxMicrousd } = owner;
  if (callQuotas === null || concurrentCalls === null || assetQuotaMib === null) return;
  const limits = { callQuotas, concurrentCalls, assetQuotaMib, monthLimitMaxMicrousd };
  await writeAccountLimits(tx, [teamId], { planId, ownLimits, limits });
}
