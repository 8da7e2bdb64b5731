import Stripe from 'stripe';
import {
  type ChargeOutcome,
  CustomerGone,
  ForgedEvent,
  type PaymentEvent,
  type PaymentFacts,
  type Payments,
  PaymentsUnavailable,
  type SavedCard,
} from './ports';

/** How long Stripe may take to answer; whoever asks waits that long at most, twice. */
const TIMEOUT_MS = 20_000;
const NETWORK_RETRIES = 1;
/** Older signed events are taken for replays (threats A10). */
const WEBHOOK_TOLERANCE_SECONDS = 300;
/** Shared payment tokens are in preview: the SDK's own version does not know them. */
const TOKEN_API_VERSION = '2026-07-29.preview';
const PAGE = 100;
const FACTS = ['latest_charge', 'payment_method'];

interface StripeOptions {
  mode: Payments['mode'];
  secretKey: string;
  /** Null: no event is ever accepted, they are only fetched. */
  webhookSecret: string | null;
  /** Where the API is, if not Stripe's own. */
  apiBase?: string | null;
  /** How it is reached, if not over the network: the stand-in runs in this process. */
  fetch?: typeof globalThis.fetch;
}

/** Payments over the Stripe SDK, against Stripe itself or the stand-in. */
export function createStripePayments(options: StripeOptions): Payments {
  const stripe = createClient(options);
  return {
    mode: options.mode,
    createCustomer: (account) => asked(() => createCustomer(stripe, account)),
    createCheckout: (order) => asked(() => createCheckout(stripe, order)),
    findCheckout: (id) => asked(() => findCheckout(stripe, id)),
    createPortal: ({ customerId, returnUrl }) =>
      asked(async () => {
        const params = { customer: customerId, return_url: returnUrl };
        const { url } = await stripe.billingPortal.sessions.create(params);
        return { url };
      }),
    chargeCard: (charge) => asked(() => chargeCard(stripe, charge)),
    chargeToken: (charge) => asked(() => chargeToken(stripe, charge)),
    findPayment: (id) => asked(() => findPayment(stripe, id)),
    findPaymentOfOrder: (order) => asked(() => findPaymentOfOrder(stripe, order)),
    listPayments: (since) => listPayments(stripe, since),
    findSavedCard: (customerId) => asked(() => findSavedCard(stripe, customerId)),
    readEvent(rawBody, signature) {
      if (!options.webhookSecret || !signature) throw new ForgedEvent('The event is not signed');
      try {
        const { webhookSecret } = options;
        return eventOf(
          stripe.webhooks.constructEvent(rawBody, signature, webhookSecret, WEBHOOK_TOLERANCE_SECONDS),
        );
      } catch (cause) {
        throw new ForgedEvent('The signature of the event is not valid', { cause });
      }
    },
    listEvents: (since) => listEvents(stripe, since),
  };
}

function createClient({ secretKey, apiBase, fetch }: StripeOptions): Stripe {
  const base = apiBase ? new URL(apiBase) : null;
  return new Stripe(secretKey, {
    timeout: TIMEOUT_MS,
    maxNetworkRetries: NETWORK_RETRIES,
    telemetry: false,
    ...(fetch ? { httpClient: Stripe.createFetchHttpClient(fetch) } : {}),
    ...(base
      ? {
          host: base.hostname,
          port: base.port || (base.protocol === 'https:' ? 443 : 80),
          protocol: base.protocol === 'https:' ? ('https' as const) : ('http' as const),
        }
      : {}),
  });
}

/** Whatever leaves open whether it happened is PaymentsUnavailable; a refusal of ours to be mended is what it is. */
async function asked<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (cause) {
    if (isUnknown(cause)) throw new PaymentsUnavailable('The payment provider did not answer', { cause });
    if (isMissing(cause) && cause.param === 'customer')
      throw new CustomerGone('The payment provider has no such customer', { cause });
    throw cause;
  }
}

function isMissing(error: unknown): error is InstanceType<typeof Stripe.errors.StripeInvalidRequestError> {
  return error instanceof Stripe.errors.StripeInvalidRequestError && error.code === 'resource_missing';
}

function isUnknown(error: unknown): boolean {
  const { errors } = Stripe;
  return (
    error instanceof errors.StripeConnectionError ||
    error instanceof errors.StripeRateLimitError ||
    error instanceof errors.StripeAPIError ||
    // Something else was asked with this key before: whether it happened is still to be found out.
    error instanceof errors.StripeIdempotencyError ||
    // The same request is still running there: it will have happened, or not.
    (error instanceof errors.StripeError && error.statusCode === 409)
  );
}

async function createCustomer(
  stripe: Stripe,
  { accountId, email, name }: Parameters<Payments['createCustomer']>[0],
): Promise<string> {
  const params = { name, metadata: { account_id: accountId }, ...(email ? { email } : {}) };
  const { id } = await stripe.customers.create(params);
  return id;
}

async function createCheckout(stripe: Stripe, order: Parameters<Payments['createCheckout']>[0]) {
  const { orderId } = order;
  const line = (name: string, cents: number) => ({
    quantity: 1,
    price_data: { currency: 'usd', unit_amount: cents, product_data: { name } },
  });
  const session = await stripe.checkout.sessions.create(
    {
      mode: 'payment',
      customer: order.customerId,
      client_reference_id: orderId,
      metadata: { order_id: orderId },
      line_items: [
        line(order.credits, order.creditCents),
        ...(order.feeCents > 0 ? [line('Purchase fee', order.feeCents)] : []),
      ],
      payment_intent_data: {
        description: order.credits,
        metadata: { order_id: orderId },
        ...(order.saveCard ? { setup_future_usage: 'off_session' as const } : {}),
      },
      success_url: order.successUrl,
      cancel_url: order.cancelUrl,
      expires_at: Math.floor(order.expiresAt.getTime() / 1000),
    },
    { idempotencyKey: orderId },
  );
  if (!session.url) throw new Error('The payment provider made a checkout without a page');
  return { sessionId: session.id, url: session.url };
}

const CHECKOUT_STATES: Partial<Record<string, 'complete' | 'expired'>> = {
  complete: 'complete',
  expired: 'expired',
};

async function findCheckout(stripe: Stripe, id: string): ReturnType<Payments['findCheckout']> {
  const session = await found(() => stripe.checkout.sessions.retrieve(id));
  if (!session) return null;
  return {
    state: CHECKOUT_STATES[session.status ?? 'open'] ?? 'open',
    paymentId: idOf(session.payment_intent),
    url: session.url ?? null,
  };
}

async function chargeCard(
  stripe: Stripe,
  charge: Parameters<Payments['chargeCard']>[0],
): Promise<ChargeOutcome> {
  const { orderId, customerId, paymentMethodId, totalCents, description } = charge;
  return await chargeOutcome(() =>
    stripe.paymentIntents.create(
      {
        amount: totalCents,
        currency: 'usd',
        customer: customerId,
        payment_method: paymentMethodId,
        off_session: true,
        confirm: true,
        description,
        metadata: { order_id: orderId },
      },
      { idempotencyKey: orderId },
    ),
  );
}

async function chargeToken(
  stripe: Stripe,
  charge: Parameters<Payments['chargeToken']>[0],
): Promise<ChargeOutcome> {
  const { orderId, token, totalCents, description, idempotencyKey } = charge;
  const params = {
    amount: totalCents,
    currency: 'usd',
    confirm: true,
    automatic_payment_methods: { enabled: true, allow_redirects: 'never' as const },
    description,
    metadata: { order_id: orderId, machine_payment: 'true' },
    // In preview, so not yet among the SDK's types.
    shared_payment_granted_token: token,
  };
  try {
    return await chargeOutcome(() =>
      stripe.paymentIntents.create(params, { idempotencyKey, apiVersion: TOKEN_API_VERSION }),
    );
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeInvalidRequestError) || error.statusCode === 409) throw error;
    // No such token, or not one for us: the payer's to mend. The message may name the token.
    return {
      outcome: 'declined',
      code: error.code ?? error.type,
      message: 'The token cannot be charged.',
      paymentId: null,
    };
  }
}

async function chargeOutcome(create: () => Promise<Stripe.PaymentIntent>): Promise<ChargeOutcome> {
  try {
    const { id, status } = await create();
    if (status === 'succeeded') return { outcome: 'paid', paymentId: id };
    if (status === 'processing') return { outcome: 'pending', paymentId: id };
    return { outcome: 'declined', code: status, message: 'The payment was not completed.', paymentId: id };
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeCardError)) throw error;
    const { decline_code: declineCode, code, message, payment_intent: payment } = error;
    return {
      outcome: 'declined',
      code: declineCode ?? code ?? 'card_declined',
      message,
      paymentId: payment?.id ?? null,
    };
  }
}

async function findPayment(stripe: Stripe, id: string): Promise<PaymentFacts | null> {
  const payment = await found(() => stripe.paymentIntents.retrieve(id, { expand: FACTS }));
  return payment ? await factsOf(stripe, payment) : null;
}

async function factsOf(stripe: Stripe, payment: Stripe.PaymentIntent): Promise<PaymentFacts> {
  const charge = expanded(payment.latest_charge);
  const method = expanded(payment.payment_method);
  const card = method?.card ? savedCardOf(method) : null;
  const shown = charge?.payment_method_details?.card;
  return {
    id: payment.id,
    orderId: payment.metadata.order_id ?? null,
    status: statusOf(payment),
    totalCents: payment.status === 'succeeded' ? payment.amount_received : payment.amount,
    currency: payment.currency,
    live: payment.livemode,
    refundedCents: charge?.amount_refunded ?? 0,
    disputes: charge?.disputed ? await disputesOf(stripe, payment.id) : [],
    customerId: idOf(payment.customer),
    card,
    paidWith: shown ? nameOfCard(shown.brand ?? 'card', shown.last4 ?? '') : (method?.type ?? null),
    createdAt: new Date(payment.created * 1000),
  };
}

/** Without a way to pay after a failed attempt it waits for another one, which may never come. */
function statusOf({ status, last_payment_error: failure }: Stripe.PaymentIntent): PaymentFacts['status'] {
  if (status === 'succeeded') return 'paid';
  return status === 'canceled' || (status === 'requires_payment_method' && failure) ? 'failed' : 'pending';
}

type Dispute = PaymentFacts['disputes'][number];

/** Others are inquiries, or were prevented: no money has left. */
const DISPUTE_STATES: Partial<Record<string, Dispute['state']>> = {
  needs_response: 'open',
  under_review: 'open',
  won: 'won',
  lost: 'lost',
};

async function disputesOf(stripe: Stripe, paymentId: string): Promise<Dispute[]> {
  const { data } = await stripe.disputes.list({ payment_intent: paymentId, limit: PAGE });
  return data.flatMap(({ id, amount, status }) => {
    const state = DISPUTE_STATES[status];
    return state ? [{ id, cents: amount, state }] : [];
  });
}

async function findPaymentOfOrder(
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

async function* listPayments(stripe: Stripe, since: Date): AsyncGenerator<PaymentFacts> {
  const created = { gte: Math.floor(since.getTime() / 1000) };
  const pages = stripe.paymentIntents.list({
    limit: PAGE,
    created,
    expand: FACTS.map((name) => `data.${name}`),
  });
  try {
    for await (const payment of pages) if (payment.metadata.order_id) yield await factsOf(stripe, payment);
  } catch (cause) {
    if (isUnknown(cause)) throw new PaymentsUnavailable('The payment provider did not answer', { cause });
    throw cause;
  }
}

/** The default of the customer where it is a card, else the newest one that may be charged without its owner. */
async function findSavedCard(stripe: Stripe, customerId: string): Promise<SavedCard | null> {
  const customer = await found(() => stripe.customers.retrieve(customerId));
  if (!customer || customer.deleted) return null;
  const { data } = await stripe.paymentMethods.list({ customer: customerId, type: 'card', limit: PAGE });
  const chosen = idOf(customer.invoice_settings?.default_payment_method ?? null);
  const method = data.find(({ id }) => id === chosen) ?? data[0];
  return method ? savedCardOf(method) : null;
}

function savedCardOf({ id, card }: Stripe.PaymentMethod): SavedCard | null {
  if (!card) return null;
  const { brand, last4, exp_month: expMonth, exp_year: expYear } = card;
  return { paymentMethodId: id, brand, last4, expMonth, expYear };
}

async function* listEvents(stripe: Stripe, since: Date): AsyncGenerator<PaymentEvent> {
  const newestFirst: PaymentEvent[] = [];
  const created = { gte: Math.floor(since.getTime() / 1000) };
  try {
    for await (const event of stripe.events.list({ limit: PAGE, created })) newestFirst.push(eventOf(event));
  } catch (cause) {
    if (isUnknown(cause)) throw new PaymentsUnavailable('The payment provider did not answer', { cause });
    throw cause;
  }
  yield* newestFirst.reverse();
}

/** Only where to look: what is true is fetched, because events come late, twice and in any order (threats A7). */
function eventOf(event: Stripe.Event): PaymentEvent {
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
    paymentId: object.object === 'payment_intent' ? (object.id ?? null) : idOf(object.payment_intent ?? null),
    sessionId: object.object === 'checkout.session' ? (object.id ?? null) : null,
    // A detached card says whose it was only in what it was before.
    customerId:
      object.object === 'customer' ? (object.id ?? null) : idOf(object.customer ?? before?.customer ?? null),
  };
}

async function found<T>(retrieve: () => Promise<T>): Promise<T | null> {
  try {
    return await retrieve();
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

function idOf(reference: string | { id: string } | null): string | null {
  return typeof reference === 'string' ? reference : (reference?.id ?? null);
}

function expanded<T extends object>(reference: string | T | null): T | null {
  return typeof reference === 'string' ? null : reference;
}

function nameOfCard(brand: string, last4: string): string {
  return `${brand[0]?.toUpperCase() ?? ''}${brand.slice(1)} •••• ${last4}`;
}
