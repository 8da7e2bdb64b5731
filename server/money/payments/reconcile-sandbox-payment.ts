import type { PaymentMode } from '@/db/schema/payments';
import type { Runtime } from '../../core/runtime';
import { type Applied, applyPayment } from './apply-payment';
import { nextTicket, type Order } from './store';

/** Credits an order that was paid with a free sandbox proof: no provider has a payment to fetch. */
export async function reconcileSandboxPayment(
  runtime: Pick<Runtime, 'db' | 'log' | 'ports' | 'settings'>,
  order: Pick<Order, 'id' | 'totalCents'>,
): Promise<Applied> {
  return await reconcileFinalPayment(runtime, order, { mode: 'sandbox', paidWith: 'a sandbox proof' });
}

/** Credits an order whose payment is final and cannot be fetched. */
export async function reconcileFinalPayment(
  runtime: Pick<Runtime, 'db' | 'log' | 'ports' | 'settings'>,
  order: Pick<Order, 'id' | 'totalCents'>,
  { mode, paidWith }: { mode: PaymentMode; paidWith: string },
): Promise<Applied> {
  const ticket = await nextTicket(runtime.db);
  const facts = {
    id: `${mode}_${order.id}`,
    orderId: order.id,
    status: 'paid' as const,
    totalCents: order.totalCents,
    currency: 'usd',
    live: false,
    refundedCents: 0,
    disputes: [],
    customerId: null,
    card: null,
    paidWith,
    createdAt: runtime.ports.clock.now(),
  };
  return await applyPayment(runtime, order.id, { facts, mode, ticket });
}
