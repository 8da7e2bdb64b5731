import { randomBytes } from 'node:crypto';
import type Stripe from 'stripe';
import { findCustomer } from './customers';
import { invalidRequest } from './errors';
import type { Params } from './form';
import { type Item, idOf, newStripeId, type Row } from './objects';
import { checkAmount, checkCurrency, insertIntent, readFutureUsage } from './payment-intents';
import type { Store } from './store';
import { emit, type Work } from './work';

const HALF_HOUR = 1_800;
const DAY = 86_400;

export async function createSession(work: Work, params: Params): Promise<Stripe.Checkout.Session> {
  if (params.need('mode') !== 'payment')
    throw invalidRequest('The stand-in only knows `mode=payment`.', undefined, 'mode');
  const successUrl = readAddress(params, 'success_url');
  const cancelUrl = params.text('cancel_url') ? readAddress(params, 'cancel_url') : null;
  const customer = params.text('customer') ?? null;
  if (customer && params.text('customer_email'))
    throw invalidRequest('You may only specify one of these parameters: customer, customer_email.');
  if (customer) await findCustomer(work, customer, 'customer', 400);
  const expiresAt = params.integer('expires_at') ?? work.now + DAY;
  // Stripe's own bounds, with a minute for clocks that differ.
  if (expiresAt < work.now + HALF_HOUR - 60 || expiresAt > work.now + DAY + 60)
    throw invalidRequest(
      'The `expires_at` timestamp must be between 30 minutes and 24 hours from Checkout Session creation.',
      undefined,
      'expires_at',
    );
  const { items, currency, total } = readItems(params);
  const wish = params.under('payment_intent_data');
  const id = newStripeId('cs_test', 58);
  const session = newSession({
    id,
    url: `${work.publicUrl}/checkout/${id}`,
    created: work.now,
    expires_at: expiresAt,
    amount_subtotal: total,
    amount_total: total,
    currency,
    customer,
    customer_email: params.text('customer_email') ?? null,
    client_reference_id: params.text('client_reference_id') ?? null,
    metadata: params.merged('metadata'),
    success_url: successUrl,
    cancel_url: cancelUrl,
  });
  await work.store.insert('checkout.session', session, {
    items,
    nonce: randomBytes(18).toString('base64url'),
    intent: {
      metadata: wish.merged('metadata'),
      description: wish.text('description') ?? null,
      setupFutureUsage: readFutureUsage(wish),
    },
  });
  return session;
}

function readAddress(params: Params, key: string): string {
  const address = params.need(key);
  if (/^https?:\/\//.test(address) && URL.canParse(address)) return address;
  throw invalidRequest('Not a valid URL. URLs must begin with http:// or https://.', 'url_invalid', key);
}

function readItems(params: Params): { items: Item[]; currency: string; total: number } {
  const lines = params.children('line_items');
  if (lines.length === 0)
    throw invalidRequest('Missing required param: line_items.', 'parameter_missing', 'line_items');
  const currencies = new Set<string>();
  const items = lines.map((line): Item => {
    const price = line.under('price_data');
    currencies.add(checkCurrency(price.need('currency'), 'line_items[price_data][currency]'));
    const product = price.under('product_data');
    return {
      id: newStripeId('li'),
      name: product.need('name'),
      description: product.text('description') ?? null,
      unitAmount: price.needInteger('unit_amount'),
      quantity: line.integer('quantity') ?? 1,
    };
  });
  if (items.some(({ unitAmount, quantity }) => unitAmount < 0 || quantity < 1))
    throw invalidRequest(
      'Invalid line item: unit_amount and quantity must not be negative.',
      undefined,
      'line_items',
    );
  const [currency] = currencies;
  if (currencies.size !== 1 || !currency)
    throw invalidRequest('All line items must have the same currency.', undefined, 'line_items');
  const total = items.reduce((sum, { unitAmount, quantity }) => sum + unitAmount * quantity, 0);
  checkAmount(total, 'line_items');
  return { items, currency, total };
}

type Decided = Pick<
  Stripe.Checkout.Session,
  | 'id'
  | 'url'
  | 'created'
  | 'expires_at'
  | 'amount_subtotal'
  | 'amount_total'
  | 'currency'
  | 'customer'
  | 'customer_email'
  | 'client_reference_id'
  | 'metadata'
  | 'success_url'
  | 'cancel_url'
>;

function newSession(decided: Decided): Stripe.Checkout.Session {
  return {
    ...decided,
    object: 'checkout.session',
    adaptive_pricing: { enabled: false },
    after_expiration: null,
    allow_promotion_codes: null,
    allowed_payment_method_types: null,
    automatic_tax: { enabled: false, liability: null, provider: null, status: null },
    billing_address_collection: null,
    client_secret: null,
    collected_information: null,
    consent: null,
    consent_collection: null,
    currency_conversion: null,
    custom_fields: [],
    custom_text: {
      after_submit: null,
      shipping_address: null,
      submit: null,
      terms_of_service_acceptance: null,
    },
    customer_account: null,
    customer_creation: decided.customer ? null : 'if_required',
    customer_details: null,
    discounts: [],
    integration_identifier: null,
    invoice: null,
    invoice_creation: null,
    livemode: false,
    locale: null,
    managed_payments: null,
    mode: 'payment',
    origin_context: null,
    payment_intent: null,
    payment_link: null,
    payment_method_collection: 'if_required',
    payment_method_configuration_details: null,
    payment_method_options: {},
    payment_method_types: ['card', 'us_bank_account'],
    payment_status: 'unpaid',
    permissions: null,
    recovered_from: null,
    saved_payment_method_options: null,
    setup_intent: null,
    shipping_address_collection: null,
    shipping_cost: null,
    shipping_options: [],
    status: 'open',
    submit_type: null,
    subscription: null,
    total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: 0 },
    ui_mode: 'hosted_page',
    wallet_options: null,
  };
}

/** What is bought; the API shows it only where it is asked for. */
export async function listLineItems(store: Store, id: string) {
  const { data, hidden } = await store.get('checkout.session', id, 'session');
  const lines = hidden.items.map(
    (item): Stripe.LineItem => ({
      id: item.id,
      object: 'item',
      adjustable_quantity: null,
      amount_discount: 0,
      amount_subtotal: item.unitAmount * item.quantity,
      amount_tax: 0,
      amount_total: item.unitAmount * item.quantity,
      currency: data.currency ?? 'usd',
      description: item.name,
      metadata: {},
      price: null,
      quantity: item.quantity,
    }),
  );
  return { object: 'list', data: lines, has_more: false, url: `/v1/checkout/sessions/${id}/line_items` };
}

export async function expireSession(work: Work, id: string): Promise<Stripe.Checkout.Session> {
  const row = await work.store.get('checkout.session', id, 'session');
  if (row.data.status !== 'open')
    throw invalidRequest(
      `Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session has a status of \`${row.data.status}\`.`,
    );
  row.data.status = 'expired';
  row.data.url = null;
  await work.store.save(row);
  await cancelAttempt(work, idOf(row.data.payment_intent));
  await emit(work, 'checkout.session.expired', row.data);
  return row.data;
}

async function cancelAttempt(work: Work, intentId: string | null): Promise<void> {
  if (intentId === null) return;
  const intent = await work.store.get('payment_intent', intentId);
  intent.data.status = 'canceled';
  intent.data.canceled_at = work.now;
  intent.data.next_action = null;
  await work.store.save(intent);
  await emit(work, 'payment_intent.canceled', intent.data);
}

/** The payment of a session: made with the first attempt, tried again with every other. */
export async function intentOfSession(
  work: Work,
  session: Row<'checkout.session'>,
  email: string | null,
  name: string | null,
): Promise<Row<'payment_intent'>> {
  const { data, hidden } = session;
  data.customer_details = {
    address: null,
    business_name: null,
    email,
    individual_name: null,
    name,
    phone: null,
    tax_exempt: 'none',
    tax_ids: [],
  };
  const known = idOf(data.payment_intent);
  const intent = known
    ? await work.store.get('payment_intent', known)
    : await insertIntent(work, {
        amount: data.amount_total ?? 0,
        currency: data.currency ?? 'usd',
        customer: idOf(data.customer),
        description: hidden.intent.description,
        metadata: hidden.intent.metadata,
        setupFutureUsage: hidden.intent.setupFutureUsage,
        receiptEmail: null,
        hidden: { session: data.id },
      });
  data.payment_intent = intent.data.id;
  await work.store.save(session);
  return intent;
}
