import { type AuditActor, writeAudit } from '../../core/audit/audit';
import { GatewayError } from '../../core/errors/gateway-error';
import type { Runtime } from '../../core/runtime';
import type { Payments } from '../../platform/ports/ports';
import { lockAccounts } from '../billing/ledger';
import { paymentsOf } from './place-order';
import {
  endRefund,
  findRefund,
  insertRefund,
  listOpenRefunds,
  type Refund,
  sumOpenRefunds,
} from './refund-store';
import { settlePayment } from './settle-payment';
import { findPaymentRow, lockPayment } from './store';

interface RefundRequest {
  /** Of the form that asks: the same one refunds once. */
  refundId: string;
  paymentId: string;
  cents: number;
  reason: string;
}

/**
 * Gives back some of a payment, or all of it. What the provider makes of it reaches the books as
 * any refund does: the credit it bought is taken back in the same share, below nothing as a debt.
 * Asked again with the same id it goes on where it was.
 * @throws GatewayError NOT_FOUND; INVALID_INPUT for more than is left, or what the provider
 *   refuses; UNAVAILABLE
 * @throws PaymentsUnavailable: whether it has happened is found out by asking again
 */
export async function refundPayment(
  runtime: Runtime,
  by: AuditActor,
  request: RefundRequest,
): Promise<Refund> {
  const payments = paymentsOf(runtime);
  // One that was interrupted may be in the books and still open: it would count twice.
  for (const open of await listOpenRefunds(runtime.db, request.paymentId, payments.mode))
    if (open.id !== request.refundId) await finishRefund(runtime, payments, open);
  const refund = await placeRefund(runtime, by, request);
  if (refund.status === 'open') await finishRefund(runtime, payments, refund);
  const ended = (await findRefund(runtime.db, refund.id)) ?? refund;
  if (ended.status === 'refused')
    throw new GatewayError('INVALID_INPUT', {
      message: `The payment provider refuses it: ${ended.problem}`,
      hint: 'Look at the payment again: it may have been refunded or disputed meanwhile.',
    });
  return ended;
}

/** However often, and by whomever it is done: the provider knows a refund by its id. */
async function finishRefund(
  runtime: Runtime,
  payments: Payments,
  { id: refundId, paymentId, cents }: Refund,
): Promise<void> {
  const outcome = await payments.refundPayment({ refundId, paymentId, cents });
  if (outcome.outcome === 'refunded') {
    // The books first: until then what is on its way counts as given back.
    await settlePayment(runtime, payments, paymentId);
    await endRefund(runtime.db, refundId, { status: 'done', providerId: outcome.providerId });
  } else await endRefund(runtime.db, refundId, { status: 'refused', problem: outcome.message });
}

/** Under the locks of a payment: what is asked for never exceeds what is left of it. */
async function placeRefund(runtime: Runtime, by: AuditActor, request: RefundRequest): Promise<Refund> {
  const { refundId, paymentId, cents, reason } = request;
  const found = await findPaymentRow(runtime.db, paymentId);
  if (!found) throw new GatewayError('NOT_FOUND', { message: `There is no payment ${paymentId}.` });
  return await runtime.db.transaction(async (tx) => {
    await lockAccounts(tx, [found.accountId]);
    const payment = await lockPayment(tx, paymentId);
    if (!payment) throw new GatewayError('NOT_FOUND', { message: `There is no payment ${paymentId}.` });
    const before = await findRefund(tx, refundId);
    if (before) {
      if (before.paymentId === paymentId && before.cents === cents) return before;
      throw refused('This form has asked for another refund: reload the page.');
    }
    if (payment.mode !== runtime.ports.payments?.mode)
      throw refused(`It was paid in ${payment.mode} mode, where this gateway takes no money now.`);
    const left =
      payment.totalCents -
      payment.refundedCents -
      payment.disputedCents -
      (await sumOpenRefunds(tx, paymentId));
    // Below nothing for a moment, while another refund is in the books and not marked as done.
    const shown = (Math.max(left, 0) / 100).toFixed(2);
    if (cents > left) throw refused(`Only $${shown} of this payment is left to refund.`);
    await insertRefund(tx, { id: refundId, paymentId, cents, reason, createdBy: by.name });
    await writeAudit(tx, {
      actor: { ...by, reason },
      action: 'payment.refund',
      accountId: payment.accountId,
      target: paymentId,
      details: { refund: refundId, cents },
    });
    const placed = await findRefund(tx, refundId);
    if (!placed) throw new Error('A refund was not written');
    return placed;
  });
}

function refused(message: string): GatewayError {
  return new GatewayError('INVALID_INPUT', { message, details: { fields: [{ path: 'cents', message }] } });
}
