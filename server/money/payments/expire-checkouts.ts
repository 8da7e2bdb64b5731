import type { Runtime } from '../../core/runtime';
import { listOpenCheckouts } from './store';
import { syncOrder } from './sync-order';

/**
 * Expires the open checkouts of an account that is about to be closed, so that they cannot be paid.
 * Those already paid are credited.
 * @throws PaymentsUnavailable
 */
export async function expireCheckouts(
  runtime: Pick<Runtime, 'db' | 'log' | 'ports' | 'settings'>,
  accountId: string,
): Promise<void> {
  const { payments } = runtime.ports;
  if (!payments) return;
  for (const order of await listOpenCheckouts(runtime.db, accountId, payments.mode)) {
    if (order.sessionId) await payments.expireCheckout(order.sessionId);
    await syncOrder(runtime, payments, order);
  }
}
