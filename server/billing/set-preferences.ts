import { writeAudit } from '../accounts/audit';
import { actorName } from '../auth/actor';
import { chooseBuyer } from '../payments/create-checkout';
import { resetReload } from '../reloads/reset-reload';
import type { AccountContext } from '../trpc/context';
import { preferencesOf } from './get-preferences';
import { lockAccounts } from './ledger';
import { microusdFromUsd } from './money';
import type { Preferences, PreferencesUpdate } from './schema';
import { type PreferencesChange, writePreferences } from './store';

/**
 * Changes the fields that are given, all or none of them.
 * @throws GatewayError CLAIM_REQUIRED, FORBIDDEN
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
  if (given.budgetLimit !== undefined)
    change.budgetLimit = given.budgetLimit === null ? null : exact(given.budgetLimit);
  if (Object.keys(change).length > 0)
    await runtime.db.transaction(async (tx) => {
      await lockAccounts(tx, [account.id]);
      await writePreferences(tx, account.id, change);
      // Whoever switches it on again has seen to the card: the declines that had switched it off are forgotten.
      if (change.enabled) await resetReload(tx, account.id);
      await writeAudit(tx, {
        actor: actorName(actor),
        action: 'billing.preferences',
        accountId: account.id,
        details: given,
      });
    });
  return await preferencesOf(runtime, account.id);
}

/** The schema has refused what is no amount. */
function exact(usd: number): bigint {
  const amount = microusdFromUsd(usd);
  if (amount === null) throw new Error('An amount passed the schema that is none');
  return amount;
}
