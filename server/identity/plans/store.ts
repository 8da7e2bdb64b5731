import { eq, sql } from 'drizzle-orm';
import { arrayLiteral } from '@/db/array-literal';
import type { Executor } from '@/db/client';
import { defineRow, integer, text } from '@/db/rows';
import { accounts } from '@/db/schema/accounts';
import { plans } from '@/db/schema/plans';

export type PlanRow = typeof plans.$inferSelect;

/** The limits of a plan or an account, in the order of CALL_WINDOWS. */
export type LimitColumns = Pick<
  PlanRow,
  'assetQuotaMib' | 'callQuotas' | 'concurrentCalls' | 'monthLimitMaxMicrousd'
>;

export async function insertPlan(tx: Executor, row: typeof plans.$inferInsert): Promise<void> {
  await tx.insert(plans).values(row);
}

export async function updatePlan(
  tx: Executor,
  id: string,
  change: LimitColumns & { name: string },
): Promise<void> {
  await tx.update(plans).set(change).where(eq(plans.id, id));
}

export async function deletePlan(tx: Executor, id: string): Promise<void> {
  await tx.delete(plans).where(eq(plans.id, id));
}

/**
 * Locks a plan, so that it is not deleted or changed while an account gets it. New teams, which
 * refer to the plan of their owner, need not wait.
 */
export async function lockPlan(tx: Executor, id: string): Promise<PlanRow | null> {
  const [row] = await tx.select().from(plans).where(eq(plans.id, id)).for('no key update');
  return row ?? null;
}

export async function findPlanByName(db: Executor, name: string): Promise<PlanRow | null> {
  const [row] = await db.select().from(plans).where(sql`lower(${plans.name}) = lower(${name})`);
  return row ?? null;
}

export async function listPlanRows(db: Executor): Promise<PlanRow[]> {
  return await db.select().from(plans).orderBy(plans.name);
}

const useRow = defineRow({ plan_id: text(), accounts: integer() });

/** Counts the open accounts of each plan. */
export async function countPlanAccounts(db: Executor): Promise<Map<string, number>> {
  const rows = await useRow.read(
    db.execute(sql`
      select plan_id, count(*)::int as accounts from accounts
      where plan_id is not null and closed_at is null group by plan_id`),
  );
  return new Map(rows.map(({ plan_id, accounts }) => [plan_id, accounts]));
}

const idRow = defineRow({ id: text() });

/** Lists the accounts that a change of the plan reaches. */
export async function listAccountsOfPlan(tx: Executor, planId: string): Promise<string[]> {
  const rows = await idRow.read(
    tx.execute(sql`select id from accounts where plan_id = ${planId} and not own_limits`),
  );
  return rows.map(({ id }) => id);
}

/** Removes the plan from accounts that have limits of their own, or are closed. */
export async function detachPlan(tx: Executor, planId: string): Promise<void> {
  await tx.execute(sql`update accounts set plan_id = null
    where plan_id = ${planId} and (own_limits or closed_at is not null)`);
}

export type AccountRow = typeof accounts.$inferSelect;

/** Locks accounts and their keys: keys first, each in id order, as calls do. */
export async function lockAccountsWithKeys(tx: Executor, ids: readonly string[]): Promise<AccountRow[]> {
  const wanted = sql`${arrayLiteral(ids)}::text[]`;
  await tx.execute(sql`select id from api_keys where account_id = any(${wanted})
    order by id for no key update`);
  return await tx
    .select()
    .from(accounts)
    .where(sql`${accounts.id} = any(${wanted})`)
    .orderBy(accounts.id)
    .for('no key update');
}

/** How accounts get their limits; `limits: null` gives them the gateway's. */
export interface AccountLimitColumns {
  planId: string | null;
  ownLimits: boolean;
  limits: LimitColumns | null;
}

/**
 * Gives locked accounts and their keys other limits. The new version of a key makes every process
 * resolve it again. A monthly limit above the maximum is lowered.
 */
export async function writeAccountLimits(
  tx: Executor,
  ids: readonly string[],
  { planId, ownLimits, limits }: AccountLimitColumns,
): Promise<void> {
  const wanted = sql`${arrayLiteral(ids)}::text[]`;
  const max = limits?.monthLimitMaxMicrousd ?? null;
  await tx
    .update(accounts)
    .set({
      planId,
      ownLimits,
      callQuotas: limits?.callQuotas ?? null,
      concurrentCalls: limits?.concurrentCalls ?? null,
      assetQuotaMib: limits?.assetQuotaMib ?? null,
      monthLimitMaxMicrousd: max,
      ...(max !== null && lowerMonthLimit(max)),
    })
    .where(sql`${accounts.id} = any(${wanted})`);
  await tx.execute(sql`
    update api_keys k set account_quotas = a.call_quotas, account_concurrency = a.concurrent_calls,
      rules_version = k.rules_version + 1
    from accounts a
    where a.id = k.account_id and a.id = any(${wanted})
      and (k.account_quotas, k.account_concurrency) is distinct from (a.call_quotas, a.concurrent_calls)`);
}

/** Lowers monthly limits to a maximum. Alerts of a lowered one begin at its next threshold. */
function lowerMonthLimit(max: bigint) {
  const spent = sql`case when ${accounts.monthStart} = date_trunc('month', clock_timestamp() at time zone 'UTC')::date
    then ${accounts.monthSpentMicrousd} else 0 end`;
  return {
    budgetLimitMicrousd: sql`least(${accounts.budgetLimitMicrousd}, ${max}::bigint)`,
    budgetAlertAtMicrousd: sql`case when ${accounts.budgetLimitMicrousd} <= ${max}::bigint
      then ${accounts.budgetAlertAtMicrousd} else next_budget_alert(${max}::bigint, ${spent}) end`,
  };
}

export type LimitedAccount = LimitColumnsOrNull & { ownLimits: boolean; plan: PlanRow | null };
export type LimitColumnsOrNull = Pick<
  AccountRow,
  'assetQuotaMib' | 'callQuotas' | 'concurrentCalls' | 'monthLimitMaxMicrousd'
>;

export async function findLimits(db: Executor, accountId: string): Promise<LimitedAccount | null> {
  const { assetQuotaMib, callQuotas, concurrentCalls, monthLimitMaxMicrousd, ownLimits } = accounts;
  const [row] = await db
    .select({
      assetQuotaMib,
      callQuotas,
      concurrentCalls,
      monthLimitMaxMicrousd,
      ownLimits,
      plan: plans,
    })
    .from(accounts)
    .leftJoin(plans, eq(plans.id, accounts.planId))
    .where(eq(accounts.id, accountId));
  return row ?? null;
}
