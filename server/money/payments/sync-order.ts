import type { Runtime } from '../../core/runtime';
import type { Payments } from '../../platform/ports/ports';
import { reconcilePayment } from './reconcile-payment';
import { findOrder, markOrderEnded, type Order } from './store';

/** The state of a purchase at the provider. */
export type OrderState = 'open' | 'processing' | 'paid' | 'failed' | 'expired';

/**
 * Polls the checkout of an order and brings the ledger to its state. May run at any time.
 * @throws PaymentsUnavailable
 */
export async function syncOrder(
  runtime: Pick<Runtime, 'db' | 'log' | 'settings'>,
  payments: Payments,
  order: Order,
): Promise<{ state: OrderState; url: string | null }> {
  const closed = (state: OrderState) => ({ state, url: null });
  if (order.status !== 'open') return closed(order.status);
  if (!order.sessionId || order.mode !== payments.mode) return closed('open');
  const checkout = await payments.findCheckout(order.sessionId);
  if (checkout?.paymentId) {
    const settled = await reconcilePayment(runtime, payments, checkout.paymentId);
    if (settled.outcome === 'applied') return closed('paid');
    if (checkout.state === 'complete') {
      const failed = settled.outcome !== 'unpaid' || settled.status === 'failed';
      return closed(failed ? await endOrder(runtime, order, 'failed') : 'processing');
    }
  }
  if (!checkout || checkout.state === 'expired') return closed(await endOrder(runtime, order, 'expired'));
  return { state: 'open', url: checkout.url };
}

/** Ends the order only if it is still open: a payment may have arrived since. */
async function endOrder(
  { db }: Pick<Runtime, 'db'>,
  order: Order,
  status: 'failed' | 'expired',
): Promise<OrderState> {
  if (await markOrderEnded(db, order.id, { status })) return status;
  return (await findOrder(db, order.id))?.status ?? status;
}
