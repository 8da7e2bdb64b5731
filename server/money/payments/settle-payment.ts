import type { Runtime } from '../../core/runtime';
import type { Payments } from '../../platform/ports/ports';
import { type Applied, applyPayment } from './apply-payment';
import { findOrder, nextTicket } from './store';

/** What a payment came to; `foreign`: it is none of ours. */
export type Settled = Applied | { outcome: 'foreign' };

/**
 * Looks a payment up at the provider and brings the books to what its objects imply. May be asked at any time, by an
 * event, a page that waits or a sweep: it credits once.
 * @param paymentId the provider's `pi_…`
 * @throws PaymentsUnavailable; nothing has changed then
 */
export async function settlePayment(
  runtime: Runtime,
  payments: Payments,
  paymentId: string,
): Promise<Settled> {
  // Before the look: of two, only the one that was begun later is sure to have seen all that the other saw.
  const ticket = await nextTicket(runtime.db);
  const facts = await payments.findPayment(paymentId);
  if (!facts?.orderId || !(await findOrder(runtime.db, facts.orderId))) return { outcome: 'foreign' };
  return await applyPayment(runtime, facts.orderId, { facts, mode: payments.mode, ticket });
}
