import type { Runtime } from '../../core/runtime';
import { failureText } from '../../kit/failure-text';
import type { PaymentEvent, Payments } from '../../platform/ports/ports';
import { reconcilePayment } from './reconcile-payment';
import { failEvent, findOrderBySession, finishEvent, recordEvent } from './store';
import { syncCard } from './sync-card';
import { syncOrder } from './sync-order';

type EventRuntime = Pick<Runtime, 'db' | 'log' | 'settings'>;

/** Events about customers and cards: the card that a reload charges may have changed. */
const CARD_EVENTS = /^(customer|payment_method)\./;

/**
 * Receives an event from the provider. An event only names objects; their state is fetched.
 * Repeated and reordered events are harmless.
 * @throws ForgedEvent; PaymentsUnavailable, after which the provider sends the event again
 */
export async function receiveEvent(
  runtime: EventRuntime,
  payments: Payments,
  sent: { rawBody: string; signature: string | null },
): Promise<void> {
  await processEvent(runtime, payments, payments.readEvent(sent.rawBody, sent.signature));
}

/** Processes an event once, whether it was received or fetched. */
export async function processEvent(
  runtime: EventRuntime,
  payments: Payments,
  event: PaymentEvent,
): Promise<void> {
  const { db, log } = runtime;
  if (!(await recordEvent(db, event))) return;
  const about = { eventId: event.id, type: event.type };
  const foreign = event.live !== (payments.mode === 'live');
  if (foreign) log.warn('payment_event.mode_mismatch', about);
  const applied =
    !foreign && (await recordFailure(runtime, event, () => applyEvent(runtime, payments, event)));
  if (!applied && !foreign) log.info('payment_event.ignored', about);
  await finishEvent(db, event.id, applied ? 'applied' : 'ignored');
}

/** Records for the operator why an attempt failed, then rethrows, so that the event is retried. */
async function recordFailure(
  { db, log }: Pick<Runtime, 'db' | 'log'>,
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
async function applyEvent(runtime: EventRuntime, payments: Payments, event: PaymentEvent): Promise<boolean> {
  // No order has the session if its process died before storing it or is about to store it; the
  // payment names the order too.
  const order = event.sessionId && (await findOrderBySession(runtime.db, event.sessionId));
  if (order) {
    if (order.status === 'open') await syncOrder(runtime, payments, order);
    // A late payment reopens an order that has ended.
    else if (event.paymentId) await reconcilePayment(runtime, payments, event.paymentId);
    return true;
  }
  if (event.paymentId)
    return (await reconcilePayment(runtime, payments, event.paymentId)).outcome !== 'foreign';
  if (event.customerId && CARD_EVENTS.test(event.type))
    return await syncCard(runtime, payments, event.customerId);
  return false;
}
