import { randomBytes } from 'node:crypto';
import type Stripe from 'stripe';
import { invalidRequest } from '../api/errors';
import type { Params } from '../api/form';
import type { ObjectStore } from '../state/object-store';
import { emit, type Transaction } from '../state/transactions';
import { findCustomer } from './customers';
import { getId, type Item, newStripeId, type Row } from './objects';
import { checkAmount, checkCurrency, insertIntent, readFutureUsage } from './payment-intents';

const HALF_HOUR = 1_800;
const DAY = 86_400;

export async function createSession(tx: Transaction, params: Params): Promise<Stripe.Checkout.Session> {
  if (params.required('mode') !== 'payment')
    throw invalidRequest('The fake Stripe supports only `mode=payment`.', undefined, 'mode');
  const buildSuccessUrl = readUrl(params, 'success_url');
  const cancelUrl = params.text('cancel_url') ? readUrl(params, 'cancel_url') : null;
  const customer = params.text('customer') ?? null;
  if (customer && params.text('customer_email'))
    throw invalidRequest('You may only specify one of these parameters: customer, customer_email.');
  if (customer) await findCustomer(tx, customer, 'customer', 400);
  const expiresAt = params.integer('expires_at') ?? tx.now + DAY;
  // Stripe's limits, plus a minute for clock skew.
  if (expiresAt < tx.now + HALF_HOUR - 60 || expiresAt > tx.now + DAY + 60)
    throw invalidRequest(
      'The `expires_at` timestamp must be between 30 minutes and 24 hours from Checkout Session creation.',
      undefined,
      'expires_at',
    );
  const { items, currency, total } = readItems(params);
  const intent = params.nested('payment_intent_data');
  const id = newStripeId('cs_test', 58);
  const session = newSession({
    id,
    url: `${tx.publicUrl}/checkout/${id}`,
    created: tx.now,
    expires_at: expiresAt,
    amount_subtotal: total,
    amount_total: total,
    currency,
    customer,
    customer_email: params.text('customer_email') ?? null,
    client_reference_id: params.text('client_reference_id') ?? null,
    metadata: params.merged('metadata'),
    success_url: buildSuccessUrl,
    cancel_url: cancelUrl,
  });
  await tx.store.insert('checkout.session', session, {
    items,
    nonce: randomBytes(18).toString('base64url'),
    intent: {
      metadata: intent.merged('metadata'),
      description: intent.text('description') ?? null,
      setupFutureUsage: readFutureUsage(intent),
    },
  });
  return session;
}

function readUrl(params: Params, key: string): string {
  const address = params.required(key);
  if (/^https?:\/\//.test(address) && URL.canParse(address)) return address;
  throw invalidRequest('Not a valid URL. URLs must begin with http:// or https://.', 'url_invalid', key);
}

function readItems(params: Params): { items: Item[]; currency: string; total: number } {
  const lines = params.children('line_items');
  if (lines.length === 0)
    throw invalidRequest('Missing required param: line_items.', 'parameter_missing', 'line_items');
  const currencies = new Set<string>();
  const items = lines.map((line): Item => {
    const price = line.nested('price_data');
    currencies.add(checkCurrency(price.required('currency'), 'line_items[price_data][currency]'));
    const product = price.nested('product_data');
    return {
      id: newStripeId('li'),
      name: product.required('name'),
      description: product.text('description') ?? null,
      unitAmount: price.requiredInteger('unit_amount'),
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

type SessionFields = Pick<
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

function newSession(fields: SessionFields): Stripe.Checkout.Session {
  return {
    ...fields,
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
    customer_creation: fields.customer ? null : 'if_required',
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

/** Stripe returns line items only on request. */
export async function listLineItems(store: ObjectStore, id: string) {
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

export async function expireSession(tx: Transaction, id: string): Promise<Stripe.Checkout.Session> {
  const row = await tx.store.get('checkout.session', id, 'session');
  if (row.data.status !== 'open')
    throw invalidRequest(
      `Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session has a status of \`${row.data.status}\`.`,
    );
  row.data.status = 'expired';
  row.data.url = null;
  await tx.store.save(row);
  await cancelIntentOfSession(tx, getId(row.data.payment_intent));
  await emit(tx, 'checkout.session.expired', row.data);
  return row.data;
}

async function cancelIntentOfSession(tx: Transaction, intentId: string | null): Promise<void> {
  if (intentId === null) return;
  const intent = await tx.store.get('payment_intent', intentId);
  intent.data.status = 'canceled';
  intent.data.canceled_at = tx.now;
  intent.data.next_action = null;
  await tx.store.save(intent);
  await emit(tx, 'payment_intent.canceled', intent.data);
}

/**
 * Creates the payment intent of a session on the first attempt to pay; later attempts use it again.
 */
export async function prepareIntent(
  tx: Transaction,
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
  const intentId = getId(data.payment_intent);
  const intent = intentId
    ? await tx.store.get('payment_intent', intentId)
    : await insertIntent(tx, {
        amount: data.amount_total ?? 0,
        currency: data.currency ?? 'usd',
        customer: getId(data.customer),
        description: hidden.intent.description,
        metadata: hidden.intent.metadata,
        setupFutureUsage: hidden.intent.setupFutureUsage,
        receiptEmail: null,
        hidden: { session: data.id },
      });
  data.payment_intent = intent.data.id;
  await tx.store.save(session);
  return intent;
}
