import { lockAccounts } from '../billing/ledger';
import { placeOrder } from '../payments/place-order';
import { pricePurchase } from '../payments/purchase';
import type { Payments } from '../ports/ports';
import type { Runtime } from '../runtime';
import { needsReload } from './reload';
import { endReloadsOfOtherModes, findReloadAccount, hasOpenReload, takeBackWanted } from './store';

/**
 * Decides again, under the lock of the account, whether what a call asked for is still needed, and writes the order down:
 * one at a time. It names customer and card, so that each attempt to charge it asks for exactly the same.
 * @returns the order, where one was placed
 */
export async function openReload(
  runtime: Runtime,
  payments: Payments,
  accountId: string,
): Promise<string | null> {
  const { mode } = payments;
  const placed = await runtime.db.transaction(async (tx) => {
    const [locked] = await lockAccounts(tx, [accountId]);
    // Another process has looked meanwhile.
    if (!locked?.reloadWantedAt) return null;
    if (!(await takeBackWanted(tx, accountId))) return null;
    await endReloadsOfOtherModes(tx, accountId, mode);
    const found = await findReloadAccount(tx, accountId, mode);
    if (!found?.card || !needsReload(found.account) || (await hasOpenReload(tx, accountId))) return null;
    const { credits, fee, totalCents } = pricePurchase(runtime.settings, found.account.reloadAmountMicrousd);
    return await placeOrder(tx, {
      kind: 'reload',
      mode,
      accountId,
      createdBy: 'system:reloads',
      creditsMicrousd: credits,
      feeMicrousd: fee,
      totalCents,
      ...found.card,
    });
  });
  if (placed) runtime.log.info('a reload was ordered', { orderId: placed, accountId });
  return placed;
}
