import type { Runtime } from '../../core/runtime';
import { lockAccounts } from '../billing/ledger';
import { endReload, type LeasedReload, requestReload } from './store';

/**
 * Cancels an order that was never charged and is no longer needed: auto-recharge was switched off,
 * credit arrived, or the card changed. Requests a new decision on whether to reload.
 */
export async function cancelReload(runtime: Pick<Runtime, 'db' | 'log'>, order: LeasedReload): Promise<void> {
  const { id, account_id: accountId } = order;
  await runtime.db.transaction(async (tx) => {
    await lockAccounts(tx, [accountId]);
    if (await endReload(tx, order, { status: 'expired', code: 'not_needed' }))
      await requestReload(tx, accountId);
  });
  runtime.log.info('reload.cancelled', { orderId: id, accountId });
}
