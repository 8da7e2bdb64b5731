import type { Runtime } from '../../core/runtime';
import { lookAtOrder } from './look-at-order';
import { listOpenCheckouts } from './store';

/**
 * Ends the checkouts of an account at the provider, so that nobody pays for one that is about to be
 * closed. What was paid already is credited.
 * @throws PaymentsUnavailable
 */
export async function expireCheckouts(runtime: Runtime, accountId: string): Promise<void> {
  const { payments } = runtime.ports;
  if (!payments) return;
  for (const order of await listOpenCheckouts(runtime.db, accountId, payments.mode)) {
    if (order.sessionId) await payments.expireCheckout(order.sessionId);
    await lookAtOrder(runtime, payments, order);
  }
}
