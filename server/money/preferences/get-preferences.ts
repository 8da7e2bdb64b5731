import type { Runtime } from '../../core/runtime';
import type { Actor } from '../../core/trpc/actor';
import { usdFromMicrousd } from '../../kit/money';
import { chooseAccount } from '../billing/choose-account';
import type { Preferences } from '../billing/schema';
import { findCard } from '../payments/find-card';
import { findPreferences } from './store';

/**
 * How an account pays and what it may spend.
 * @throws GatewayError FORBIDDEN for another user's billing account
 */
export async function getPreferences(
  runtime: Pick<Runtime, 'db' | 'ports'>,
  actor: Actor,
  billing: string | undefined,
): Promise<Preferences> {
  const account = await chooseAccount(runtime, actor, billing, 'member');
  return await getAccountPreferences(runtime, account.id);
}

/** The preferences of an account that the caller has authorised. */
export async function getAccountPreferences(
  runtime: Pick<Runtime, 'db' | 'ports'>,
  accountId: string,
): Promise<Preferences> {
  const row = await findPreferences(runtime.db, accountId);
  return {
    autoReloadEnabled: row.auto_reload_enabled,
    autoReloadThreshold: usdFromMicrousd(row.threshold),
    autoReloadAmount: usdFromMicrousd(row.amount),
    autoReloadDailyLimit: usdFromMicrousd(row.daily_limit),
    budgetLimit: row.budget_limit === null ? null : usdFromMicrousd(row.budget_limit),
    budgetLimitMax: row.budget_max === null ? null : usdFromMicrousd(row.budget_max),
    spent_this_month_usd: usdFromMicrousd(row.spent),
    spending_resets_at: new Date(row.resets_at).toISOString(),
    budgetAlerts: row.budget_alerts,
    saved_card: await findCard(runtime, accountId),
    auto_reload_stopped_at: row.stopped_at === null ? null : new Date(row.stopped_at).toISOString(),
    // Older versions recorded no reason, and stopped only after declines.
    auto_reload_stopped_reason: row.stopped_at === null ? null : (row.stopped_reason ?? 'declined'),
  };
}
