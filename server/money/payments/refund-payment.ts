import { type AuditActor, writeAudit } from '../../core/audit/audit';
import { GatewayError } from '../../core/errors/gateway-error';
import type { Runtime } from '../../core/runtime';
import type { Payments } from '../../platform/ports/ports';
import { lockAccounts } from '../billing/ledger';
import { requirePayments } from './place-order';
import { reconcilePayment } from './reconcile-payment';
import {
  endRefund,
  findRefund,
  insertRefund,
  listOpenRefunds,
  type Refund,
  sumOpenRefunds,
} from './refund-store';
import { findPaymentRow, lockPayment } from './store';

interface RefundRequest {
  /** Of the submitted form; the same id refunds once. */
  refundId: string;
  paymentId: string;
  cents: number;
  reason: string;
}

/**
 * Refunds part or all of a payment. The result reaches the ledger like any refund: the same share
 * of its credit is taken back, as a debt if the account has spent it. A repeated call with the same
 * id resumes.
 * @throws GatewayError NOT_FOUND; INVALID_INPUT for more than is left, or if the provider refuses;
 *   UNAVAILABLE
 * @throws PaymentsUnavailable; repeat the call to learn whether the refund happened
 */
export async function refundPayment(
  runtime: Pick<Runtime, 'db' | 'log' | 'ports' | 'settings'>,
  by: AuditActor,
  request: RefundRequest,
): Promise<Refund> {
  const payments = requirePayments(runtime);
  // An interrupted refund may be in the ledger and still open, and would count twice.
  for (const open of await listOpenRefunds(runtime.db, request.paymentId, payments.mode))
    if (open.id !== request.refundId) await finishRefund(runtime, payments, open);
  const refund = await placeRefund(runtime, by, request);
  if (refund.status === 'open') await finishRefund(runtime, payments, refund);
  const ended = (await findRefund(runtime.db, refund.id)) ?? refund;
  if (ended.status === 'refused')
    throw new GatewayError('INVALID_INPUT', {
      message: `The payment provider refused the refund: ${ended.problem}`,
      hint: 'Reload the payment: it may have been refunded or disputed since.',
    });
  return ended;
}

/** Safe to repeat: the provider identifies a refund by its id. */
async function finishRefund(
  runtime: Pick<Runtime, 'db' | 'log' | 'settings'>,
  payments: Payments,
  { id: refundId, paymentId, cents }: Refund,
): Promise<void> {
  const outcome = await payments.refundPayment({ refundId, paymentId, cents });
  if (outcome.outcome === 'refunded') {
    // The ledger comes first: until then, the open refund counts as refunded.
    await reconcilePayment(runtime, payments, paymentId);
    await endRefund(runtime.db, refundId, { status: 'done', providerId: outcome.providerId });
  } else await endRefund(runtime.db, refundId, { status: 'refused', problem: outcome.message });
}

/** Under the payment's lock, so that refunds never exceed what is left of it. */
async function placeRefund(
  runtime: Pick<Runtime, 'db' | 'ports'>,
  by: AuditActor,
  request: RefundRequest,
): Promise<Refund> {
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
      throw refused('This form was already used for another refund: reload the page.');
    }
    if (payment.mode !== runtime.ports.payments?.mode)
      throw refused(`It was paid in ${payment.mode} mode, which this gateway does not use now.`);
    const left =
      payment.totalCents -
      payment.refundedCents -
      payment.disputedCents -
      (await sumOpenRefunds(tx, paymentId));
    // Can be negative while another refund is in the ledger but not marked as done.
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
