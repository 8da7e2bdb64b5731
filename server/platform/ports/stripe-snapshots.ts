import type Stripe from 'stripe';
import { PaymentsUnavailable } from '../../core/errors/payments-unavailable';
import type { PaymentEvent, PaymentSnapshot, Payments, SavedCard } from './ports';
import { findObject, isOutcomeUnknown } from './translate-stripe-errors';

const PAGE = 100;
const EXPANDED_FIELDS = ['latest_charge', 'payment_method'];

export async function findPayment(stripe: Stripe, id: string): Promise<PaymentSnapshot | null> {
  const payment = await findObject(() => stripe.paymentIntents.retrieve(id, { expand: EXPANDED_FIELDS }));
  return payment ? await toPaymentSnapshot(stripe, payment) : null;
}

async function toPaymentSnapshot(stripe: Stripe, payment: Stripe.PaymentIntent): Promise<PaymentSnapshot> {
  const charge = getExpanded(payment.latest_charge);
  const method = getExpanded(payment.payment_method);
  const card = method?.card ? toSavedCard(method) : null;
  const shown = charge?.payment_method_details?.card;
  return {
    id: payment.id,
    orderId: payment.metadata.order_id ?? null,
    status: getStatus(payment),
    totalCents: payment.status === 'succeeded' ? payment.amount_received : payment.amount,
    currency: payment.currency,
    live: payment.livemode,
    refundedCents: charge?.amount_refunded ?? 0,
    disputes: charge?.disputed ? await listDisputes(stripe, payment.id) : [],
    customerId: getId(payment.customer),
    card,
    paidWith: shown ? formatCard(shown.brand ?? 'card', shown.last4 ?? '') : (method?.type ?? null),
    createdAt: new Date(payment.created * 1000),
  };
}

/** A failed attempt counts as failed, although Stripe waits for another payment method. */
function getStatus({ status, last_payment_error: failure }: Stripe.PaymentIntent): PaymentSnapshot['status'] {
  if (status === 'succeeded') return 'paid';
  return status === 'canceled' || (status === 'requires_payment_method' && failure) ? 'failed' : 'pending';
}

type Dispute = PaymentSnapshot['disputes'][number];

/** Other states are inquiries or prevented disputes, which withdraw no money. */
const DISPUTE_STATES: Partial<Record<string, Dispute['state']>> = {
  needs_response: 'open',
  under_review: 'open',
  won: 'won',
  lost: 'lost',
};

async function listDisputes(stripe: Stripe, paymentId: string): Promise<Dispute[]> {
  const { data } = await stripe.disputes.list({ payment_intent: paymentId, limit: PAGE });
  return data.flatMap(({ id, amount, status }) => {
    const state = DISPUTE_STATES[status];
    return state ? [{ id, cents: amount, state }] : [];
  });
}

export async function findPaymentOfOrder(
  stripe: Stripe,
  { orderId, customerId, since }: Parameters<Payments['findPaymentOfOrder']>[0],
): Promise<string | null> {
  const params = {
    limit: PAGE,
    created: { gte: Math.floor(since.getTime() / 1000) },
    ...(customerId ? { customer: customerId } : {}),
  };
  for await (const payment of stripe.paymentIntents.list(params))
    if (payment.metadata.order_id === orderId) return payment.id;
  return null;
}

export async function* listPayments(stripe: Stripe, since: Date): AsyncGenerator<PaymentSnapshot> {
  const created = { gte: Math.floor(since.getTime() / 1000) };
  const pages = stripe.paymentIntents.list({
    limit: PAGE,
    created,
    expand: EXPANDED_FIELDS.map((name) => `data.${name}`),
  });
  try {
    for await (const payment of pages)
      if (payment.metadata.order_id) yield await toPaymentSnapshot(stripe, payment);
  } catch (cause) {
    if (isOutcomeUnknown(cause))
      throw new PaymentsUnavailable('The payment provider did not respond', { cause });
    throw cause;
  }
}

/** The customer's default payment method if it is a card, otherwise the newest saved card. */
export async function findSavedCard(stripe: Stripe, customerId: string): Promise<SavedCard | null> {
  const customer = await findObject(() => stripe.customers.retrieve(customerId));
  if (!customer || customer.deleted) return null;
  const { data } = await stripe.paymentMethods.list({ customer: customerId, type: 'card', limit: PAGE });
  const chosen = getId(customer.invoice_settings?.default_payment_method ?? null);
  const method = data.find(({ id }) => id === chosen) ?? data[0];
  return method ? toSavedCard(method) : null;
}

function toSavedCard({ id, card }: Stripe.PaymentMethod): SavedCard | null {
  if (!card) return null;
  const { brand, last4, exp_month: expMonth, exp_year: expYear } = card;
  return { paymentMethodId: id, brand, last4, expMonth, expYear };
}

export async function* listEvents(stripe: Stripe, since: Date): AsyncGenerator<PaymentEvent> {
  const newestFirst: PaymentEvent[] = [];
  const created = { gte: Math.floor(since.getTime() / 1000) };
  try {
    for await (const event of stripe.events.list({ limit: PAGE, created }))
      newestFirst.push(toPaymentEvent(event));
  } catch (cause) {
    if (isOutcomeUnknown(cause))
      throw new PaymentsUnavailable('The payment provider did not respond', { cause });
    throw cause;
  }
  yield* newestFirst.reverse();
}

/**
 * Only names the objects; events may be late, repeated or out of order, so state is fetched (A7).
 */
export function toPaymentEvent(event: Stripe.Event): PaymentEvent {
  const { id, type, livemode, created } = event;
  const object = event.data.object as {
    object: string;
    id?: string;
    payment_intent?: string | { id: string } | null;
    customer?: string | { id: string } | null;
  };
  const before = event.data.previous_attributes as { customer?: string | null } | undefined;
  return {
    id,
    type,
    live: livemode,
    createdAt: new Date(created * 1000),
    paymentId:
      object.object === 'payment_intent' ? (object.id ?? null) : getId(object.payment_intent ?? null),
    sessionId: object.object === 'checkout.session' ? (object.id ?? null) : null,
    // A detached card names its customer only in the previous attributes.
    customerId:
      object.object === 'customer' ? (object.id ?? null) : getId(object.customer ?? before?.customer ?? null),
  };
}

/** The id of a reference, which may be expanded, an id, or null. */
export function getId(reference: string | { id: string } | null): string | null {
  return typeof reference === 'string' ? reference : (reference?.id ?? null);
}

function getExpanded<T extends object>(reference: string | T | null): T | null {
  return typeof reference === 'string' ? null : reference;
}

function formatCard(brand: string, last4: string): string {
  return `${brand[0]?.toUpperCase() ?? ''}${brand.slice(1)} •••• ${last4}`;
}
