import type Stripe from 'stripe';
import { confirmPayment, type Presence } from './confirm-payment';
import { findCustomer } from './customers';
import { type ErrorBody, invalidRequest } from './errors';
import type { Params } from './form';
import { idOf, newStripeId, type Row } from './objects';
import { usableMethod } from './payment-methods';
import { usableToken } from './shared-payment-tokens';
import { AUTHENTICATION_REQUIRED, type Decline } from './test-cards';
import { emit, type Work } from './work';

/** An answer of another status than 200 whose changes stay. */
export interface Refused {
  status: 402;
  body: ErrorBody;
}

const LEAST_CENTS = 50;
const MOST_CENTS = 99_999_999;

/** Everything of a payment intent that its creator decides. */
export interface NewIntent {
  amount: number;
  currency: string;
  customer: string | null;
  description: string | null;
  metadata: Stripe.Metadata;
  setupFutureUsage: Stripe.PaymentIntent.SetupFutureUsage | null;
  receiptEmail: string | null;
  hidden: Row<'payment_intent'>['hidden'];
}

/** Refuses sums that no card network takes. */
export function checkAmount(amount: number, param: string): void {
  if (amount < LEAST_CENTS)
    throw invalidRequest('Amount must be at least $0.50 usd', 'amount_too_small', param);
  if (amount > MOST_CENTS)
    throw invalidRequest('Amount must be no more than $999,999.99', 'amount_too_large', param);
}

export function checkCurrency(currency: string, param: string): string {
  if (/^[a-z]{3}$/i.test(currency)) return currency.toLowerCase();
  throw invalidRequest(`Invalid currency: ${currency}`, undefined, param);
}

/** `off_session` or `on_session`; anything else is an error, absent is not. */
export function readFutureUsage(params: Params): Stripe.PaymentIntent.SetupFutureUsage | null {
  const usage = params.text('setup_future_usage');
  if (usage === undefined) return null;
  if (usage === 'off_session' || usage === 'on_session') return usage;
  throw invalidRequest('Invalid setup_future_usage: must be one of off_session or on_session');
}

export async function insertIntent(work: Work, wish: NewIntent): Promise<Row<'payment_intent'>> {
  const id = newStripeId('pi');
  const intent: Stripe.PaymentIntent = {
    id,
    object: 'payment_intent',
    allowed_payment_method_types: null,
    amount: wish.amount,
    amount_capturable: 0,
    amount_received: 0,
    application: null,
    application_fee_amount: null,
    automatic_payment_methods: { enabled: true },
    canceled_at: null,
    cancellation_reason: null,
    capture_method: 'automatic_async',
    client_secret: newStripeId(`${id}_secret`),
    confirmation_method: 'automatic',
    created: work.now,
    currency: wish.currency,
    customer: wish.customer,
    customer_account: null,
    description: wish.description,
    excluded_payment_method_types: null,
    last_payment_error: null,
    latest_charge: null,
    livemode: false,
    managed_payments: null,
    metadata: wish.metadata,
    next_action: null,
    on_behalf_of: null,
    payment_method: null,
    payment_method_configuration_details: null,
    payment_method_options: {},
    payment_method_types: ['card', 'us_bank_account'],
    payment_record: null,
    processing: null,
    receipt_email: wish.receiptEmail,
    review: null,
    setup_future_usage: wish.setupFutureUsage,
    shipping: null,
    source: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: 'requires_payment_method',
    transfer_group: null,
  };
  const row = await work.store.insert('payment_intent', intent, wish.hidden);
  await emit(work, 'payment_intent.created', intent);
  return row;
}

export async function createIntent(work: Work, params: Params): Promise<Stripe.PaymentIntent | Refused> {
  const amount = params.needInteger('amount');
  checkAmount(amount, 'amount');
  const currency = checkCurrency(params.need('currency'), 'currency');
  const customer = params.text('customer') ?? null;
  if (customer) await findCustomer(work, customer, 'customer', 400);
  const confirms = params.flag('confirm');
  if (!confirms && params.has('off_session'))
    throw invalidRequest(
      'You can only set `off_session` when `confirm` is `true`.',
      'parameter_missing',
      'confirm',
    );
  const means = await readMeans(work, params, customer, amount, currency);
  const row = await insertIntent(work, {
    amount,
    currency,
    customer,
    description: params.text('description') ?? null,
    metadata: params.merged('metadata'),
    setupFutureUsage: readFutureUsage(params),
    receiptEmail: params.text('receipt_email') ?? null,
    hidden: { returnUrl: params.text('return_url') },
  });
  if (confirms) return await confirmWith(work, row, means, params);
  if (means) {
    row.data.status = 'requires_confirmation';
    row.data.payment_method = means.method.data.id;
    if (means.token) row.hidden.token = means.token;
    await work.store.save(row);
  }
  return row.data;
}

interface Means {
  method: Row<'payment_method'>;
  token?: string;
}

/** What is to be charged: a payment method, or a shared payment token as `payment_method_data` or by its own name. */
async function readMeans(
  work: Work,
  params: Params,
  customer: string | null,
  amount: number,
  currency: string,
): Promise<Means | null> {
  const token =
    params.under('payment_method_data').text('shared_payment_granted_token') ??
    params.text('shared_payment_granted_token');
  if (token) return { method: await usableToken(work, token, amount, currency), token };
  const id = params.text('payment_method');
  return id ? { method: await usableMethod(work, id, customer) } : null;
}

async function confirmWith(
  work: Work,
  row: Row<'payment_intent'>,
  means: Means | null,
  params: Params,
): Promise<Stripe.PaymentIntent | Refused> {
  if (!means)
    throw invalidRequest(
      'You cannot confirm this PaymentIntent because it’s missing a payment method. You can either update the PaymentIntent with a payment method and then confirm it again, or confirm it again directly with a payment method.',
      'payment_intent_unexpected_state',
      'payment_method',
    );
  // Also `one_off` and `recurring`: why its owner is away makes no difference.
  const away = (params.text('off_session') ?? 'false') !== 'false';
  const presence: Presence = means.token ? 'token' : away ? 'away' : 'present';
  if (means.token) row.hidden.token = means.token;
  row.hidden.returnUrl = params.text('return_url') ?? row.hidden.returnUrl;
  const declined = await confirmPayment(work, row, means.method, presence);
  if (declined) return refused(row, means.method, declined);
  if (row.data.status === 'requires_action' && params.flag('error_on_requires_action'))
    return refused(row, means.method, AUTHENTICATION_REQUIRED);
  return row.data;
}

function refused(row: Row<'payment_intent'>, method: Row<'payment_method'>, reason: Decline): Refused {
  return {
    status: 402,
    body: {
      error: {
        type: 'card_error',
        code: reason.code,
        decline_code: reason.declineCode,
        doc_url: `https://docs.stripe.com/error-codes#${reason.code.replaceAll('_', '-')}`,
        message: reason.message,
        charge: idOf(row.data.latest_charge) ?? undefined,
        payment_intent: row.data,
        payment_method: method.data,
      },
    },
  };
}

export async function confirmIntent(
  work: Work,
  params: Params,
  id: string,
): Promise<Stripe.PaymentIntent | Refused> {
  const row = await work.store.get('payment_intent', id, 'intent');
  const { status, amount, currency } = row.data;
  if (status !== 'requires_payment_method' && status !== 'requires_confirmation')
    throw unexpectedState('confirm', status);
  const customer = idOf(row.data.customer);
  const named = await readMeans(work, params, customer, amount, currency);
  return await confirmWith(work, row, named ?? (await chosenBefore(work, row)), params);
}

async function chosenBefore(work: Work, row: Row<'payment_intent'>): Promise<Means | null> {
  const { amount, currency, payment_method } = row.data;
  const { token } = row.hidden;
  if (token) return { method: await usableToken(work, token, amount, currency), token };
  const id = idOf(payment_method);
  return id === null ? null : { method: await work.store.get('payment_method', id) };
}

export async function updateIntent(work: Work, params: Params, id: string): Promise<Stripe.PaymentIntent> {
  const row = await work.store.get('payment_intent', id, 'intent');
  if (params.has('description')) row.data.description = params.text('description') ?? null;
  if (params.has('metadata')) row.data.metadata = params.merged('metadata', row.data.metadata);
  await work.store.save(row);
  return row.data;
}

export async function cancelIntent(work: Work, params: Params, id: string): Promise<Stripe.PaymentIntent> {
  const row = await work.store.get('payment_intent', id, 'intent');
  const { status } = row.data;
  if (status === 'succeeded' || status === 'canceled' || status === 'processing')
    throw unexpectedState('cancel', status);
  row.data.status = 'canceled';
  row.data.canceled_at = work.now;
  row.data.next_action = null;
  row.data.cancellation_reason = readCancellation(params);
  await work.store.save(row);
  await emit(work, 'payment_intent.canceled', row.data);
  return row.data;
}

function readCancellation(params: Params): Stripe.PaymentIntent.CancellationReason | null {
  const reason = params.text('cancellation_reason');
  if (reason === undefined) return null;
  if (
    reason === 'abandoned' ||
    reason === 'duplicate' ||
    reason === 'fraudulent' ||
    reason === 'requested_by_customer'
  )
    return reason;
  throw invalidRequest(`Invalid cancellation_reason: ${reason}`, undefined, 'cancellation_reason');
}

function unexpectedState(verb: 'cancel' | 'confirm', status: string): Error {
  return invalidRequest(
    `You cannot ${verb} this PaymentIntent because it has a status of ${status}.`,
    'payment_intent_unexpected_state',
  );
}
