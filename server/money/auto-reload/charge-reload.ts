import type { Executor } from '@/db/client';
import { PaymentsUnavailable } from '../../core/errors/payments-unavailable';
import type { Runtime } from '../../core/runtime';
import { newId } from '../../kit/ids';
import { formatUsd } from '../../kit/money';
import type { Payments } from '../../platform/ports/ports';
import { lockAccounts } from '../billing/ledger';
import { type Settled, settlePayment } from '../payments/settle-payment';
import { syncCard } from '../payments/sync-card';
import { declineReload } from './decline-reload';
import { dropReload } from './drop-reload';
import { needsReload, retryAfterSeconds } from './reload';
import {
  findReloadAccount,
  leaveReload,
  notePayment,
  postponeReload,
  renewReload,
  type TakenReload,
  takeReload,
} from './store';

/**
 * Longer than a request is tried here, its repetition included, and than the provider may go on
 * with it after that.
 */
const LATE_CHARGE_SECONDS = 300;
/** The provider's clock may be behind the database's. */
const CLOCK_SLACK_MS = 3_600_000;

/**
 * Brings an open reload to its end, or as far as the provider lets it: charged and credited,
 * declined, dropped. Charges once, however often and by whomever it is done, and whatever was lost
 * on the way: the order's id is the provider's idempotency key, and beyond that key's life its
 * payments are looked through first.
 */
export async function chargeReload(runtime: Runtime, payments: Payments, orderId: string): Promise<void> {
  const order = await takeReload(runtime.db, orderId, {
    fence: newId('request'),
    leaseSeconds: runtime.settings.leaseSeconds,
    mode: payments.mode,
  });
  if (!order) return;
  try {
    await attempt(runtime, payments, order);
  } catch (error) {
    const details = { orderId, attempts: order.attempts, error };
    const unavailable = error instanceof PaymentsUnavailable;
    runtime.observer.metrics.reloads.inc({ outcome: unavailable ? 'provider_unavailable' : 'failed' });
    if (unavailable) runtime.log.warn('a reload waits for the payment provider', details);
    else runtime.log.error('a reload could not be charged', details);
    await postpone(runtime, order);
    // Refused, not declined: perhaps the card is gone and nobody has told us. The next attempt sees
    // it.
    if (!unavailable) await syncCard(runtime, payments, order.customer_id);
  }
}

async function attempt(runtime: Runtime, payments: Payments, order: TakenReload): Promise<void> {
  const { id: orderId, customer_id: customerId } = order;
  if (order.payment_id) return await lookAgain(runtime, payments, order, order.payment_id);
  if (order.attempts > 1) {
    // The answer to an earlier attempt may have been lost, with its process or on the way.
    const since = new Date(order.created_ms - CLOCK_SLACK_MS);
    const paymentId = await payments.findPaymentOfOrder({ orderId, customerId, since });
    if (paymentId) return await recover(runtime, payments, order, paymentId);
  }
  const admitted = await admitCharge(runtime, order);
  if (admitted === 'lost') return;
  if (admitted === 'unneeded') {
    // The charge of a process that stands still may yet reach the provider: what is charged instead
    // waits for that.
    if (order.attempts > 1 && !order.is_leaving)
      return await leaveReload(runtime.db, order, LATE_CHARGE_SECONDS);
    return await dropReload(runtime, order);
  }
  await charge(runtime, payments, order);
}

/** A payment that the provider has told of and that takes its time. */
async function lookAgain(
  runtime: Runtime,
  payments: Payments,
  order: TakenReload,
  paymentId: string,
): Promise<void> {
  await conclude(runtime, order, await settlePayment(runtime, payments, paymentId));
}

/**
 * A payment whose answer was lost: it was paid, or the provider says once more what became of it.
 */
async function recover(
  runtime: Runtime,
  payments: Payments,
  order: TakenReload,
  paymentId: string,
): Promise<void> {
  const settled = await settlePayment(runtime, payments, paymentId);
  // The same key within its life is answered as before: nothing more is charged by it.
  if (settled.outcome === 'unpaid' && order.is_young) {
    if (await renewReload(runtime.db, order, runtime.settings.leaseSeconds))
      await charge(runtime, payments, order);
    return;
  }
  if (settled.outcome !== 'applied') await notePayment(runtime.db, order, paymentId);
  await conclude(runtime, order, settled);
}

async function conclude(runtime: Runtime, order: TakenReload, settled: Settled): Promise<void> {
  if (settled.outcome === 'applied') return;
  const failed = settled.outcome === 'unpaid' && settled.status === 'failed';
  // What does not fit its order stays open: nothing more is charged before the operator has looked.
  if (settled.outcome !== 'refused' && (failed || !order.is_young))
    return await declineReload(runtime, order, failed ? 'payment_failed' : 'payment_not_completed');
  await postpone(runtime, order);
}

/**
 * Decides to charge, under the lock that freezing an account or changing its settings takes:
 * whichever is first, the other sees it. `lost`: another process brings the order to its end, or
 * has done so.
 */
async function admitCharge(
  { db, settings }: Runtime,
  order: TakenReload,
): Promise<'admitted' | 'unneeded' | 'lost'> {
  return await db.transaction(async (tx) => {
    await lockAccounts(tx, [order.account_id]);
    if (!(await isStillNeeded(tx, order))) return 'unneeded';
    return (await renewReload(tx, order, settings.leaseSeconds)) ? 'admitted' : 'lost';
  });
}

/** Between order and charge, or between two attempts, its account may have changed its mind. */
async function isStillNeeded(tx: Executor, order: TakenReload): Promise<boolean> {
  const found = await findReloadAccount(tx, order.account_id, order.mode);
  if (!found?.card) return false;
  const { customerId, paymentMethodId } = found.card;
  const sameCard = customerId === order.customer_id && paymentMethodId === order.payment_method_id;
  const sameAmount = found.account.reloadAmountMicrousd === order.credits;
  return sameCard && sameAmount && needsReload(found.account);
}

async function charge(runtime: Runtime, payments: Payments, order: TakenReload): Promise<void> {
  const charged = await payments.chargeCard({
    orderId: order.id,
    customerId: order.customer_id,
    paymentMethodId: order.payment_method_id,
    totalCents: order.total_cents,
    description: `Auto-reload: ${formatUsd(order.credits)} of credit`,
  });
  if (charged.outcome === 'declined') return await declineReload(runtime, order, charged.code);
  runtime.observer.metrics.reloads.inc({ outcome: 'charged' });
  await notePayment(runtime.db, order, charged.paymentId);
  await lookAgain(runtime, payments, order, charged.paymentId);
}

async function postpone(runtime: Runtime, order: TakenReload): Promise<void> {
  await postponeReload(runtime.db, order, retryAfterSeconds(order.attempts));
}
