import type { Runtime } from '../../core/runtime';
import { failureText } from '../../kit/failure-text';
import type { PaymentEvent, Payments } from '../../platform/ports/ports';
import { lookAtOrder } from './look-at-order';
import { settlePayment } from './settle-payment';
import { failEvent, findOrderOfSession, finishEvent, noteEvent } from './store';
import { syncCard } from './sync-card';

/** Events about customers and cards: the card that a reload charges may have changed. */
const CARD_EVENTS = /^(customer|payment_method)\./;

/**
 * Receives an event from the provider. An event only names objects; their state is fetched.
 * Repeated and reordered events are harmless.
 * @throws ForgedEvent; PaymentsUnavailable, after which the provider sends the event again
 */
export async function receiveEvent(
  runtime: Runtime,
  payments: Payments,
  sent: { rawBody: string; signature: string | null },
): Promise<void> {
  await workOnEvent(runtime, payments, payments.readEvent(sent.rawBody, sent.signature));
}

/** Processes an event once, whether it was received or fetched. */
export async function workOnEvent(runtime: Runtime, payments: Payments, event: PaymentEvent): Promise<void> {
  const { db, log } = runtime;
  if (!(await noteEvent(db, event))) return;
  const about = { eventId: event.id, type: event.type };
  const foreign = event.live !== (payments.mode === 'live');
  if (foreign) log.warn('payment_event.mode_mismatch', about);
  const applied = !foreign && (await noteFailure(runtime, event, () => actOn(runtime, payments, event)));
  if (!applied && !foreign) log.info('payment_event.ignored', about);
  await finishEvent(db, event.id, applied ? 'applied' : 'ignored');
}

/** Records for the operator why an attempt failed, then rethrows, so that the event is retried. */
async function noteFailure(
  { db, log }: Runtime,
  { id }: PaymentEvent,
  attempt: () => Promise<boolean>,
): Promise<boolean> {
  try {
    return await attempt();
  } catch (error) {
    await failEvent(db, id, failureText(error)).catch((failure) =>
      log.warn('payment_event.failure_not_recorded', { eventId: id, error: failure }),
    );
    throw error;
  }
}

/** @returns whether it concerned this gateway */
async function actOn(runtime: Runtime, payments: Payments, event: PaymentEvent): Promise<boolean> {
  // No order has the session if its process died before storing it or is about to store it; the
  // payment names the order too.
  const order = event.sessionId && (await findOrderOfSession(runtime.db, event.sessionId));
  if (order) {
    if (order.status === 'open') await lookAtOrder(runtime, payments, order);
    // A late payment reopens an order that has ended.
    else if (event.paymentId) await settlePayment(runtime, payments, event.paymentId);
    return true;
  }
  if (event.paymentId) return (await settlePayment(runtime, payments, event.paymentId)).outcome !== 'foreign';
  if (event.customerId && CARD_EVENTS.test(event.type))
    return await syncCard(runtime, payments, event.customerId);
  return false;
}
