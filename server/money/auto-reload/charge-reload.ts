import type { Executor } from '@/db/client';
import { PaymentsUnavailable } from '../../core/errors/payments-unavailable';
import type { Runtime } from '../../core/runtime';
import { newId } from '../../kit/ids';
import { formatUsd } from '../../kit/money';
import type { Payments } from '../../platform/ports/ports';
import { lockAccounts } from '../billing/ledger';
import { type ReconciledPayment, reconcilePayment } from '../payments/reconcile-payment';
import { syncCard } from '../payments/sync-card';
import { cancelReload } from './cancel-reload';
import { declineReload } from './decline-reload';
import { needsReload, retryAfterSeconds } from './reload';
import {
  findReloadAccount,
  type LeasedReload,
  leaseReload,
  postponeReload,
  recordPayment,
  renewReload,
  scheduleCancellation,
} from './store';

type ReloadRuntime = Pick<Runtime, 'db' | 'log' | 'observer' | 'settings'>;

/** Longer than a request to the provider can take, with its retry and the provider's processing. */
const LATE_CHARGE_SECONDS = 300;
/** The provider's clock may be behind the database's. */
const CLOCK_SLACK_MS = 3_600_000;

/**
 * Drives an open reload to its end, as far as the provider allows: charged and credited, declined
 * or cancelled. Charges at most once, however often it runs and whatever responses are lost: the
 * order's id is the provider's idempotency key, and once that key has expired, its payments are
 * searched first.
 */
export async function chargeReload(
  runtime: ReloadRuntime,
  payments: Payments,
  orderId: string,
): Promise<void> {
  const order = await leaseReload(runtime.db, orderId, {
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
    if (unavailable) runtime.log.warn('reload.provider_unavailable', details);
    else runtime.log.error('reload.charge_failed', details);
    await postpone(runtime, order);
    // An error, not a decline: the card may have been removed without an event. The next attempt
    // sees it.
    if (!unavailable) await syncCard(runtime, payments, order.customer_id);
  }
}

async function attempt(runtime: ReloadRuntime, payments: Payments, order: LeasedReload): Promise<void> {
  const { id: orderId, customer_id: customerId } = order;
  if (order.payment_id) return await checkPayment(runtime, payments, order, order.payment_id);
  if (order.attempts > 1) {
    // The response to an earlier attempt may be lost, with its process or in transit.
    const since = new Date(order.created_ms - CLOCK_SLACK_MS);
    const paymentId = await payments.findPaymentOfOrder({ orderId, customerId, since });
    if (paymentId) return await recover(runtime, payments, order, paymentId);
  }
  const admitted = await admitCharge(runtime, order);
  if (admitted === 'lost') return;
  if (admitted === 'unneeded') {
    // The charge of a stalled process may still reach the provider, so its replacement waits for
    // it.
    if (order.attempts > 1 && !order.is_leaving)
      return await scheduleCancellation(runtime.db, order, LATE_CHARGE_SECONDS);
    return await cancelReload(runtime, order);
  }
  await charge(runtime, payments, order);
}

/** Checks a payment that the provider has reported and that is still processing. */
async function checkPayment(
  runtime: ReloadRuntime,
  payments: Payments,
  order: LeasedReload,
  paymentId: string,
): Promise<void> {
  await applyResult(runtime, order, await reconcilePayment(runtime, payments, paymentId));
}

/**
 * Handles a payment whose response was lost: it was paid, or a repeated request returns its result.
 */
async function recover(
  runtime: ReloadRuntime,
  payments: Payments,
  order: LeasedReload,
  paymentId: string,
): Promise<void> {
  const settled = await reconcilePayment(runtime, payments, paymentId);
  // Until the key expires, the provider replays its response, so nothing more is charged.
  if (settled.outcome === 'unpaid' && order.is_young) {
    if (await renewReload(runtime.db, order, runtime.settings.leaseSeconds))
      await charge(runtime, payments, order);
    return;
  }
  if (settled.outcome !== 'applied') await recordPayment(runtime.db, order, paymentId);
  await applyResult(runtime, order, settled);
}

async function applyResult(
  runtime: ReloadRuntime,
  order: LeasedReload,
  settled: ReconciledPayment,
): Promise<void> {
  if (settled.outcome === 'applied') return;
  const failed = settled.outcome === 'unpaid' && settled.status === 'failed';
  // A payment that does not match its order stays open: nothing more is charged until the operator
  // has checked it.
  if (settled.outcome !== 'refused' && (failed || !order.is_young))
    return await declineReload(runtime, order, failed ? 'payment_failed' : 'payment_not_completed');
  await postpone(runtime, order);
}

/**
 * Decides to charge under the lock that freezing an account or changing its settings takes too, so
 * that whichever comes first is seen by the other. `lost`: another process works on the order.
 */
async function admitCharge(
  { db, settings }: Pick<Runtime, 'db' | 'settings'>,
  order: LeasedReload,
): Promise<'admitted' | 'unneeded' | 'lost'> {
  return await db.transaction(async (tx) => {
    await lockAccounts(tx, [order.account_id]);
    if (!(await isStillNeeded(tx, order))) return 'unneeded';
    return (await renewReload(tx, order, settings.leaseSeconds)) ? 'admitted' : 'lost';
  });
}

/** Between order and charge, or between two attempts, the account may have changed. */
async function isStillNeeded(tx: Executor, order: LeasedReload): Promise<boolean> {
  const found = await findReloadAccount(tx, order.account_id, order.mode);
  if (!found?.card) return false;
  const { customerId, paymentMethodId } = found.card;
  const sameCard = customerId === order.customer_id && paymentMethodId === order.payment_method_id;
  const sameAmount = found.account.reloadAmountMicrousd === order.credits;
  return sameCard && sameAmount && needsReload(found.account);
}

async function charge(runtime: ReloadRuntime, payments: Payments, order: LeasedReload): Promise<void> {
  const charged = await payments.chargeCard({
    orderId: order.id,
    customerId: order.customer_id,
    paymentMethodId: order.payment_method_id,
    totalCents: order.total_cents,
    description: `Auto-recharge: ${formatUsd(order.credits)} of credit`,
  });
  if (charged.outcome === 'declined') return await declineReload(runtime, order, charged.code);
  runtime.observer.metrics.reloads.inc({ outcome: 'charged' });
  await recordPayment(runtime.db, order, charged.paymentId);
  await checkPayment(runtime, payments, order, charged.paymentId);
}

async function postpone(runtime: Pick<Runtime, 'db'>, order: LeasedReload): Promise<void> {
  await postponeReload(runtime.db, order, retryAfterSeconds(order.attempts));
}
