import type { Runtime } from '../../core/runtime';
import { failureText } from '../../kit/failure-text';
import type { PaymentEvent, Payments } from '../../platform/ports/ports';
import { lookAtOrder } from './look-at-order';
import { settlePayment } from './settle-payment';
import { failEvent, findOrderOfSession, finishEvent, noteEvent } from './store';
import { syncCard } from './sync-card';

/** Customers and their cards: what a reload may charge has changed. */
const CARD_EVENTS = /^(customer|payment_method)\./;

/**
 * Takes an event as the provider sent it. An event only says where to look: what is true is fetched. Received again, or
 * in any order, it changes nothing more.
 * @throws ForgedEvent, PaymentsUnavailable: the provider sends it again
 */
export async function receiveEvent(
  runtime: Runtime,
  payments: Payments,
  sent: { rawBody: string; signature: string | null },
): Promise<void> {
  await workOnEvent(runtime, payments, payments.readEvent(sent.rawBody, sent.signature));
}

/** Works on an event once, however it came. */
export async function workOnEvent(runtime: Runtime, payments: Payments, event: PaymentEvent): Promise<void> {
  const { db, log } = runtime;
  if (!(await noteEvent(db, event))) return;
  const about = { eventId: event.id, type: event.type };
  const foreign = event.live !== (payments.mode === 'live');
  if (foreign) log.warn('a payment event of another mode was ignored', about);
  const applied = !foreign && (await noteFailure(runtime, event, () => actOn(runtime, payments, event)));
  if (!applied && !foreign) log.info('a payment event was not needed', about);
  await finishEvent(db, event.id, applied ? 'applied' : 'ignored');
}

/** Keeps for the operator why an attempt failed; it is made again all the same. */
async function noteFailure(
  { db, log }: Runtime,
  { id }: PaymentEvent,
  attempt: () => Promise<boolean>,
): Promise<boolean> {
  try {
    return await attempt();
  } catch (error) {
    await failEvent(db, id, failureText(error)).catch((failure) =>
      log.warn('the failure of a payment event was not noted', { eventId: id, error: failure }),
    );
    throw error;
  }
}

/** @returns whether it was about something of ours */
async function actOn(runtime: Runtime, payments: Payments, event: PaymentEvent): Promise<boolean> {
  // Without one its process has died before it wrote the session down, or is about to: the payment names the order too.
  const order = event.sessionId && (await findOrderOfSession(runtime.db, event.sessionId));
  if (order) {
    if (order.status === 'open') await lookAtOrder(runtime, payments, order);
    // A late payment revives what has ended.
    else if (event.paymentId) await settlePayment(runtime, payments, event.paymentId);
    return true;
  }
  if (event.paymentId) return (await settlePayment(runtime, payments, event.paymentId)).outcome !== 'foreign';
  if (event.customerId && CARD_EVENTS.test(event.type))
    return await syncCard(runtime, payments, event.customerId);
  return false;
}
