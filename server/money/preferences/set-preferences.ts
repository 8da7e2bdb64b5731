import { writeAudit } from '../../core/audit/audit';
import { invalidFields } from '../../core/errors/field-errors';
import { actorName } from '../../core/trpc/actor';
import type { AccountContext } from '../../core/trpc/context';
import { microusdFromUsd, usdFromMicrousd } from '../../kit/money';
import { resetReload } from '../auto-reload/reset-reload';
import { lockAccounts } from '../billing/ledger';
import type { Preferences, PreferencesUpdate } from '../billing/schema';
import { chooseBuyer } from '../payments/create-checkout';
import { getAccountPreferences } from './get-preferences';
import { checkReload } from './reload-preferences';
import { findPreferences, type PreferencesChange, type PreferencesRow, writePreferences } from './store';

/**
 * Changes the given fields, all or none.
 * @throws GatewayError CLAIM_REQUIRED, FORBIDDEN, INVALID_INPUT if one reload exceeds its daily
 *   limit
 */
export async function setPreferences(
  context: AccountContext,
  update: PreferencesUpdate,
): Promise<Preferences> {
  const { runtime, actor } = context;
  const { billing, ...given } = update;
  const account = await chooseBuyer(context, billing, 'Changing preferences needs a claimed account.');
  const change: PreferencesChange = {};
  if (given.autoReloadEnabled !== undefined) change.enabled = given.autoReloadEnabled;
  if (given.autoReloadThreshold !== undefined) change.threshold = exact(given.autoReloadThreshold);
  if (given.autoReloadAmount !== undefined) change.amount = exact(given.autoReloadAmount);
  if (given.autoReloadDailyLimit !== undefined) change.dailyLimit = exact(given.autoReloadDailyLimit);
  if (given.budgetLimit !== undefined)
    change.budgetLimit = given.budgetLimit === null ? null : exact(given.budgetLimit);
  if (given.budgetAlerts !== undefined) change.budgetAlerts = given.budgetAlerts;
  if (Object.keys(change).length > 0)
    await runtime.db.transaction(async (tx) => {
      await lockAccounts(tx, [account.id]);
      const before = await findPreferences(tx, account.id);
      const reload = checkReload(before, change);
      checkMonthlyLimit(before, change);
      await writePreferences(tx, account.id, change);
      // Switching on again resets the decline count: a person has dealt with the cause.
      if (change.enabled)
        await resetReload(tx, account.id, { credits: reload.amount, dailyLimit: reload.dailyLimit });
      await writeAudit(tx, {
        actor: actorName(actor),
        action: 'billing.preferences',
        accountId: account.id,
        details: given,
      });
    });
  return await getAccountPreferences(runtime, account.id);
}

/** @throws GatewayError INVALID_INPUT if the account has a maximum and this exceeds it */
function checkMonthlyLimit({ budget_max: max }: PreferencesRow, { budgetLimit }: PreferencesChange): void {
  if (max === null || budgetLimit === undefined) return;
  if (budgetLimit !== null && budgetLimit <= max) return;
  const most = `$${usdFromMicrousd(max)}, the maximum that the operator set for this account.`;
  const message = budgetLimit === null ? `Must be a limit of at most ${most}` : `Must be at most ${most}`;
  throw invalidFields([{ path: 'budgetLimit', message }]);
}

/** The schema has rejected invalid amounts. */
function exact(usd: number): bigint {
  const amount = microusdFromUsd(usd);
  if (amount === null) throw new Error('An invalid amount passed the schema');
  return amount;
}
