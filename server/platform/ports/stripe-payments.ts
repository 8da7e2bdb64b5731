import Stripe from 'stripe';
import { type ChargeOutcome, ForgedEvent, type Payments } from './ports';
import { refundPayment } from './stripe-refunds';
import {
  findPayment,
  findPaymentOfOrder,
  findSavedCard,
  getId,
  listEvents,
  listPayments,
  toPaymentEvent,
} from './stripe-snapshots';
import { findObject, translateStripeErrors } from './translate-stripe-errors';

/** The timeout of one request; a caller waits for two at most, so less than 35 s. */
const TIMEOUT_MS = 14_000;
const NETWORK_RETRIES = 1;
/** Older signed events are treated as replays (threats A10). */
const WEBHOOK_TOLERANCE_SECONDS = 300;
/** Shared payment tokens are in preview: the SDK's own API version does not have them. */
const TOKEN_API_VERSION = '2026-07-29.preview';

interface StripeOptions {
  mode: Payments['mode'];
  secretKey: string;
  /** Null if events are only fetched: no webhook is accepted then. */
  webhookSecret: string | null;
  /** The URL of the API, if not Stripe's. */
  apiBase?: string | null;
  /** Sends requests, if not over the network: the fake runs in this process. */
  fetch?: typeof globalThis.fetch;
  /** For tests: another time limit of one request with all its attempts. */
  limitMs?: number | undefined;
}

/** Creates payments over the Stripe SDK, for Stripe itself or for the fake. */
export function createStripePayments(options: StripeOptions): Payments {
  const stripe = createClient(options);
  const request = <T>(work: () => Promise<T>) => translateStripeErrors(work, options.limitMs);
  return {
    mode: options.mode,
    createCustomer: (account) => request(() => createCustomer(stripe, account)),
    createCheckout: (order) => request(() => createCheckout(stripe, order)),
    findCheckout: (id) => request(() => findCheckout(stripe, id)),
    expireCheckout: (id) => request(() => expireCheckout(stripe, id)),
    createPortal: ({ customerId, returnUrl }) =>
      request(async () => {
        const params = { customer: customerId, return_url: returnUrl };
        const { url } = await stripe.billingPortal.sessions.create(params);
        return { url };
      }),
    chargeCard: (charge) => request(() => chargeCard(stripe, charge)),
    chargeToken: (charge) => request(() => chargeToken(stripe, charge)),
    refundPayment: (refund) => request(() => refundPayment(stripe, refund)),
    findPayment: (id) => request(() => findPayment(stripe, id)),
    findPaymentOfOrder: (order) => request(() => findPaymentOfOrder(stripe, order)),
    listPayments: (since) => listPayments(stripe, since),
    findSavedCard: (customerId) => request(() => findSavedCard(stripe, customerId)),
    readEvent(rawBody, signature) {
      if (!options.webhookSecret || !signature) throw new ForgedEvent('The event is not signed');
      try {
        const { webhookSecret } = options;
        return toPaymentEvent(
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
    httpClient: requireJsonObjects(
      fetch ? Stripe.createFetchHttpClient(fetch) : Stripe.createNodeHttpClient(),
    ),
    ...(base
      ? {
          host: base.hostname,
          port: base.port || (base.protocol === 'https:' ? 443 : 80),
          protocol: base.protocol === 'https:' ? ('https' as const) : ('http' as const),
        }
      : {}),
  });
}

/** The SDK expects objects: any other JSON throws in a callback, and its call would never end. */
function requireJsonObjects(client: Stripe.HttpClient): Stripe.HttpClient {
  const makeRequest = client.makeRequest.bind(client);
  client.makeRequest = async (...request) => {
    const response = await makeRequest(...request);
    const toJSON = response.toJSON.bind(response);
    response.toJSON = async () => {
      const value: unknown = await toJSON();
      if (typeof value === 'object' && value !== null) return value;
      throw new SyntaxError('The response is not a JSON object');
    };
    return response;
  };
  return client;
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
        ...(order.feeCents > 0 ? [line(order.fee, order.feeCents)] : []),
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
  if (!session.url) throw new Error('The payment provider created a checkout without a URL');
  return { sessionId: session.id, url: session.url };
}

const CHECKOUT_STATES: Partial<Record<string, 'complete' | 'expired'>> = {
  complete: 'complete',
  expired: 'expired',
};

async function findCheckout(stripe: Stripe, id: string): ReturnType<Payments['findCheckout']> {
  const session = await findObject(() => stripe.checkout.sessions.retrieve(id));
  if (!session) return null;
  return {
    state: CHECKOUT_STATES[session.status ?? 'open'] ?? 'open',
    paymentId: getId(session.payment_intent),
    url: session.url ?? null,
  };
}

/** Stripe refuses to expire a paid or expired checkout; the caller finds out by fetching it. */
async function expireCheckout(stripe: Stripe, id: string): Promise<void> {
  try {
    await stripe.checkout.sessions.expire(id);
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error;
  }
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
    // In preview, so the SDK's types do not have it yet.
    shared_payment_granted_token: token,
  };
  try {
    return await chargeOutcome(() =>
      stripe.paymentIntents.create(params, { idempotencyKey, apiVersion: TOKEN_API_VERSION }),
    );
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeInvalidRequestError) || error.statusCode === 409) throw error;
    // The token does not exist or is not for us: the payer must fix it. The message may contain it.
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
