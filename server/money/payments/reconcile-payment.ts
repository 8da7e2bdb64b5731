import type { Runtime } from '../../core/runtime';
import type { Payments } from '../../platform/ports/ports';
import { type Applied, applyPayment } from './apply-payment';
import { findOrder, nextTicket } from './store';

/** The result of reconciling a payment; `foreign`: its order is not ours. */
export type ReconciledPayment = Applied | { outcome: 'foreign' };

/**
 * Fetches a payment from the provider and brings the ledger to the state its objects imply. May run
 * at any time, for an event, a waiting page or a sweep: it credits once.
 * @param paymentId the provider's `pi_…`
 * @throws PaymentsUnavailable; nothing has changed then
 */
export async function reconcilePayment(
  runtime: Pick<Runtime, 'db' | 'log' | 'settings'>,
  payments: Payments,
  paymentId: string,
): Promise<ReconciledPayment> {
  // Drawn before the fetch: of two snapshots, only the one started later is sure to include all
  // that the other saw.
  const ticket = await nextTicket(runtime.db);
  const facts = await payments.findPayment(paymentId);
  if (!facts?.orderId || !(await findOrder(runtime.db, facts.orderId))) return { outcome: 'foreign' };
  return await applyPayment(runtime, facts.orderId, { facts, mode: payments.mode, ticket });
}
