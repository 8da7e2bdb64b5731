import type { Runtime } from '../../core/runtime';
import type { Payments } from '../../platform/ports/ports';
import { lockAccounts } from '../billing/ledger';
import { placeOrder } from '../payments/place-order';
import { pricePurchase } from '../payments/purchase';
import { findReachedCap, needsReload } from './reload';
import { stopReload } from './stop-reload';
import {
  clearReloadRequest,
  endReloadsOfOtherModes,
  findReloadAccount,
  hasOpenReload,
  listRecentCharges,
} from './store';

/**
 * Decides under the account's lock whether a reload is needed and within the caps, and places its
 * order: one at a time, with customer and card, so that each attempt charges the same.
 * @returns the order's id, or null if none was placed
 */
export async function openReload(
  runtime: Pick<Runtime, 'db' | 'log' | 'observer' | 'settings'>,
  payments: Payments,
  accountId: string,
): Promise<string | null> {
  const { mode } = payments;
  const outcome = await runtime.db.transaction(async (tx) => {
    const [locked] = await lockAccounts(tx, [accountId]);
    // Another process has decided already.
    if (!locked?.reloadWantedAt) return null;
    if (!(await clearReloadRequest(tx, accountId))) return null;
    await endReloadsOfOtherModes(tx, accountId, mode);
    const found = await findReloadAccount(tx, accountId, mode);
    if (!found?.card || !needsReload(found.account) || (await hasOpenReload(tx, accountId))) return null;
    const { reloadAmountMicrousd, reloadDailyLimitMicrousd: dailyLimit } = found.account;
    const { credits, fee, totalCents } = pricePurchase(runtime.settings, reloadAmountMicrousd);
    const cap = findReachedCap(await listRecentCharges(tx, accountId), { credits, dailyLimit });
    if (cap) {
      await stopReload(tx, accountId, cap);
      return { cap };
    }
    const orderId = await placeOrder(tx, {
      kind: 'reload',
      mode,
      accountId,
      createdBy: 'system:reloads',
      creditsMicrousd: credits,
      feeMicrousd: fee,
      totalCents,
      ...found.card,
    });
    return { orderId };
  });
  if (!outcome) return null;
  if ('cap' in outcome) {
    runtime.observer.metrics.reloads.inc({ outcome: 'capped' });
    runtime.log.info('reload.capped', { accountId, ...outcome });
    return null;
  }
  runtime.log.info('reload.ordered', { ...outcome, accountId });
  return outcome.orderId;
}
