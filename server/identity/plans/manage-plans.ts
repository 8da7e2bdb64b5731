import type { Executor } from '@/db/client';
import { type AuditActor, writeAudit } from '../../core/audit/audit';
import { invalidFields } from '../../core/errors/field-errors';
import { GatewayError } from '../../core/errors/gateway-error';
import { CALL_WINDOWS } from '../../core/limits/limits';
import type { Runtime } from '../../core/runtime';
import { newId } from '../../kit/ids';
import { limitFromUsd } from '../../kit/money';
import { describeLimits, NO_LIMITS } from './get-account-limits';
import type { LimitsChoice, LimitsInput, PlanInput, PlanList } from './schema';
import {
  type AccountLimitColumns,
  countPlanAccounts,
  deletePlan,
  detachPlan,
  findPlanByName,
  insertPlan,
  type LimitColumns,
  listAccountsOfPlan,
  listPlanRows,
  lockAccountsWithKeys,
  lockPlan,
  updatePlan,
  writeAccountLimits,
} from './store';

/** Lists all plans by name, with the limits of the gateway. */
export async function listPlans(runtime: Pick<Runtime, 'db' | 'quotas' | 'settings'>): Promise<PlanList> {
  const [rows, counts] = await Promise.all([listPlanRows(runtime.db), countPlanAccounts(runtime.db)]);
  return {
    plans: rows.map((row) => ({
      id: row.id,
      name: row.name,
      ...describeLimits(runtime, row),
      accounts: counts.get(row.id) ?? 0,
      created_at: row.createdAt.toISOString(),
    })),
    gateway: describeLimits(runtime, NO_LIMITS),
  };
}

/**
 * Creates a plan or changes one. A change applies to its accounts at once, in all processes.
 * @throws GatewayError INVALID_INPUT for a name that another plan has; NOT_FOUND
 */
export async function savePlan(
  runtime: Pick<Runtime, 'db'>,
  by: AuditActor,
  { id, name, ...limits }: PlanInput,
): Promise<{ id: string }> {
  const columns = toColumns(limits);
  return await runtime.db.transaction(async (tx) => {
    const ids = id === undefined ? [] : await lockPlanWithAccounts(tx, id);
    const same = await findPlanByName(tx, name);
    if (same && same.id !== id)
      throw invalidFields([{ path: 'name', message: `There is a plan “${same.name}” already.` }]);
    const planId = id ?? newId('plan');
    if (id === undefined) await insertPlan(tx, { id: planId, name, ...columns, createdBy: by.name });
    else {
      await updatePlan(tx, id, { name, ...columns });
      await writeAccountLimits(tx, ids, { planId, ownLimits: false, limits: columns });
    }
    const action = id === undefined ? 'plan.create' : 'plan.update';
    await writeAudit(tx, { actor: by, action, target: planId, details: { name, ...limits } });
    return { id: planId };
  });
}

/**
 * Deletes a plan. Its accounts get the limits of the gateway; those with limits of their own keep
 * them.
 * @throws GatewayError NOT_FOUND
 */
export async function removePlan(runtime: Pick<Runtime, 'db'>, by: AuditActor, id: string): Promise<void> {
  await runtime.db.transaction(async (tx) => {
    const ids = await lockPlanWithAccounts(tx, id);
    await writeAccountLimits(tx, ids, { planId: null, ownLimits: false, limits: null });
    await detachPlan(tx, id);
    await deletePlan(tx, id);
    await writeAudit(tx, { actor: by, action: 'plan.delete', target: id, details: { accounts: ids.length } });
  });
}

/**
 * Gives an account the limits of the gateway, of a plan, or its own.
 * @throws GatewayError NOT_FOUND; INVALID_INPUT for a closed account or an unknown plan
 */
export async function setAccountLimits(
  runtime: Pick<Runtime, 'db'>,
  by: AuditActor,
  accountId: string,
  choice: LimitsChoice,
): Promise<void> {
  await runtime.db.transaction(async (tx) => {
    const chosen = await toAccountColumns(tx, choice);
    const [account] = await lockAccountsWithKeys(tx, [accountId]);
    if (!account) throw new GatewayError('NOT_FOUND', { message: `There is no account ${accountId}.` });
    if (account.closedAt)
      throw new GatewayError('INVALID_INPUT', { message: `Account ${accountId} is closed.` });
    const planId = choice.source === 'own' ? account.planId : chosen.planId;
    await writeAccountLimits(tx, [accountId], { ...chosen, planId });
    const details = choice.source === 'own' ? choice.limits : { plan: planId };
    const audited = { source: choice.source, ...details };
    await writeAudit(tx, { actor: by, action: 'account.limits', accountId, details: audited });
  });
}

async function toAccountColumns(tx: Executor, choice: LimitsChoice): Promise<AccountLimitColumns> {
  switch (choice.source) {
    case 'gateway':
      return { planId: null, ownLimits: false, limits: null };
    case 'own':
      return { planId: null, ownLimits: true, limits: toColumns(choice.limits) };
    case 'plan': {
      const plan = await lockPlan(tx, choice.plan_id);
      if (!plan)
        throw invalidFields([{ path: 'plan_id', message: 'There is no such plan. Choose another.' }]);
      return { planId: plan.id, ownLimits: false, limits: plan };
    }
    default:
      return choice satisfies never;
  }
}

/**
 * Locks a plan, then its accounts and their keys.
 * @returns the ids of the accounts, without those that got other limits before the lock
 */
async function lockPlanWithAccounts(tx: Executor, id: string): Promise<string[]> {
  if (!(await lockPlan(tx, id))) throw new GatewayError('NOT_FOUND', { message: 'There is no such plan.' });
  const listed = await listAccountsOfPlan(tx, id);
  const locked = await lockAccountsWithKeys(tx, listed);
  // Teams that got the plan of their owner while this waited for the owner's lock.
  const added = (await listAccountsOfPlan(tx, id)).filter((each) => !listed.includes(each));
  if (added.length > 0) locked.push(...(await lockAccountsWithKeys(tx, added)));
  return locked.filter((account) => account.planId === id && !account.ownLimits).map((account) => account.id);
}

function toColumns({ concurrent, storage_mib, ...rest }: LimitsInput): LimitColumns {
  const max = rest.month_limit_max_usd;
  return {
    callQuotas: CALL_WINDOWS.map(({ field }) => rest[field]),
    concurrentCalls: concurrent,
    assetQuotaMib: storage_mib,
    // The schema has rejected other amounts.
    monthLimitMaxMicrousd: limitFromUsd(max),
  };
}
