import { eq, sql } from 'drizzle-orm';
import type { Executor } from '@/db/client';
import { bigint, boolean, defineRow, type RowOf, text, timestamptz } from '@/db/rows';
import type { StopReason } from '@/db/schema/accounts';
import { accounts } from '@/db/schema/accounts';

const preferencesRow = defineRow({
  auto_reload_enabled: boolean(),
  threshold: bigint(),
  amount: bigint(),
  daily_limit: bigint(),
  budget_limit: bigint().nullable(),
  budget_max: bigint().nullable(),
  spent: bigint(),
  budget_alerts: boolean(),
  resets_at: timestamptz(),
  stopped_at: timestamptz().nullable(),
  stopped_reason: text<StopReason>().nullable(),
});
export type PreferencesRow = RowOf<typeof preferencesRow>;

/** How an account pays, and what it has spent this month (UTC, by the database's clock). */
export async function findPreferences(db: Executor, accountId: string): Promise<PreferencesRow> {
  const [row] = await preferencesRow.read(
    db.execute(sql`
      select auto_reload_enabled, reload_threshold_microusd as threshold, reload_amount_microusd as amount,
        reload_daily_limit_microusd as daily_limit, budget_limit_microusd as budget_limit,
        month_limit_max_microusd as budget_max,
        reload_stopped_at as stopped_at, reload_stopped_reason as stopped_reason,
        case when month_start = date_trunc('month', clock_timestamp() at time zone 'UTC')::date
          then month_spent_microusd else 0 end as spent,
        budget_alerts, date_trunc('month', date_trunc('month', clock_timestamp(), 'UTC') + interval '32 days', 'UTC') as resets_at
      from accounts where id = ${accountId}`),
  );
  if (!row) throw new Error('The chosen account no longer exists');
  return row;
}

/** The preferences to change. */
export interface PreferencesChange {
  enabled?: boolean;
  threshold?: bigint;
  amount?: bigint;
  dailyLimit?: bigint;
  budgetLimit?: bigint | null;
  budgetAlerts?: boolean;
}

/**
 * Switching auto-recharge off also clears a pending reload request. A changed limit alerts from its
 * next threshold on.
 */
export async function writePreferences(
  tx: Executor,
  accountId: string,
  { enabled, threshold, amount, dailyLimit, budgetLimit, budgetAlerts }: PreferencesChange,
): Promise<void> {
  await tx
    .update(accounts)
    .set({
      ...(enabled === undefined ? {} : { autoReloadEnabled: enabled }),
      ...(enabled === false ? { reloadWantedAt: null } : {}),
      ...(threshold === undefined ? {} : { reloadThresholdMicrousd: threshold }),
      ...(amount === undefined ? {} : { reloadAmountMicrousd: amount }),
      ...(dailyLimit === undefined ? {} : { reloadDailyLimitMicrousd: dailyLimit }),
      ...(budgetLimit === undefined ? {} : limitColumns(budgetLimit)),
      ...(budgetAlerts === undefined ? {} : { budgetAlerts }),
    })
    .where(eq(accounts.id, accountId));
}

/** The same limit again keeps the alerts that were sent. */
function limitColumns(limit: bigint | null) {
  const spent = sql`case when ${accounts.monthStart} = date_trunc('month', clock_timestamp() at time zone 'UTC')::date
    then ${accounts.monthSpentMicrousd} else 0 end`;
  return {
    budgetLimitMicrousd: limit,
    budgetAlertAtMicrousd: sql`case when ${limit}::bigint = ${accounts.budgetLimitMicrousd}
      then ${accounts.budgetAlertAtMicrousd} else next_budget_alert(${limit}::bigint, ${spent}) end`,
  };
}
