import type { Runtime } from '../../core/runtime';
import { lockAccounts } from '../billing/ledger';
import { endReload, type TakenReload, wantAgain } from './store';

/**
 * Ends an order that was never charged and is not to be any more: auto-reload was switched off, credit came in, or there
 * is another card. What is to be charged instead, if anything, is decided anew.
 */
export async function dropReload(runtime: Runtime, order: TakenReload): Promise<void> {
  const { id, account_id: accountId } = order;
  await runtime.db.transaction(async (tx) => {
    await lockAccounts(tx, [accountId]);
    if (await endReload(tx, order, { status: 'expired', code: 'not_needed' })) await wantAgain(tx, accountId);
  });
  runtime.log.info('a reload is not needed any more', { orderId: id, accountId });
}
