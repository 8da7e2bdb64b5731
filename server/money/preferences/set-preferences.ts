import { writeAudit } from '../../core/audit/audit';
import { actorName } from '../../core/trpc/actor';
import type { AccountContext } from '../../core/trpc/context';
import { microusdFromUsd } from '../../kit/money';
import { resetReload } from '../auto-reload/reset-reload';
import { lockAccounts } from '../billing/ledger';
import type { Preferences, PreferencesUpdate } from '../billing/schema';
import { chooseBuyer } from '../payments/create-checkout';
import { getAccountPreferences } from './get-preferences';
import { checkReload } from './reload-preferences';
import { findPreferences, type PreferencesChange, writePreferences } from './store';

/**
 * Changes the given fields, all or none.
 * @throws GatewayError CLAIM_REQUIRED, FORBIDDEN, INVALID_INPUT if a reload would not raise the
 *   balance to the threshold
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
  if (Object.keys(change).length > 0)
    await runtime.db.transaction(async (tx) => {
      await lockAccounts(tx, [account.id]);
      const reload = checkReload(await findPreferences(tx, account.id), change);
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

/** The schema has rejected invalid amounts. */
function exact(usd: number): bigint {
  const amount = microusdFromUsd(usd);
  if (amount === null) throw new Error('An invalid amount passed the schema');
  return amount;
}
