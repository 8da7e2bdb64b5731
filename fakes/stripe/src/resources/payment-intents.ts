import type Stripe from 'stripe';
import { type ErrorBody, invalidRequest } from '../api/errors';
import type { Params } from '../api/form';
import { emit, type Transaction } from '../state/transactions';
import { confirmPayment, type Initiator } from './confirm-payment';
import { findCustomer } from './customers';
import { getId, newStripeId, type Row } from './objects';
import { resolveMethod } from './payment-methods';
import { resolveToken } from './shared-payment-tokens';
import { AUTHENTICATION_REQUIRED, type Decline } from './test-cards';

/** An error response whose changes are committed. */
export interface DeclinedResponse {
  status: 402;
  body: ErrorBody;
}

const MIN_CENTS = 50;
const MAX_CENTS = 99_999_999;

/** The fields of a payment intent that its creator chooses. */
interface NewIntent {
  amount: number;
  currency: string;
  customer: string | null;
  description: string | null;
  metadata: Stripe.Metadata;
  setupFutureUsage: Stripe.PaymentIntent.SetupFutureUsage | null;
  receiptEmail: string | null;
  hidden: Row<'payment_intent'>['hidden'];
}

/** @throws StripeApiError if the amount is outside Stripe's limits for USD */
export function checkAmount(amount: number, param: string): void {
  if (amount < MIN_CENTS)
    throw invalidRequest('Amount must be at least $0.50 usd', 'amount_too_small', param);
  if (amount > MAX_CENTS)
    throw invalidRequest('Amount must be no more than $999,999.99', 'amount_too_large', param);
}

export function checkCurrency(currency: string, param: string): string {
  if (/^[a-z]{3}$/i.test(currency)) return currency.toLowerCase();
  throw invalidRequest(`Invalid currency: ${currency}`, undefined, param);
}

/** Null if absent. @throws StripeApiError for another value than `off_session` or `on_session` */
export function readFutureUsage(params: Params): Stripe.PaymentIntent.SetupFutureUsage | null {
  const usage = params.text('setup_future_usage');
  if (usage === undefined) return null;
  if (usage === 'off_session' || usage === 'on_session') return usage;
  throw invalidRequest('Invalid setup_future_usage: must be one of off_session or on_session');
}

export async function insertIntent(tx: Transaction, fields: NewIntent): Promise<Row<'payment_intent'>> {
  const id = newStripeId('pi');
  const intent: Stripe.PaymentIntent = {
    id,
    object: 'payment_intent',
    allowed_payment_method_types: null,
    amount: fields.amount,
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
    created: tx.now,
    currency: fields.currency,
    customer: fields.customer,
    customer_account: null,
    description: fields.description,
    excluded_payment_method_types: null,
    last_payment_error: null,
    latest_charge: null,
    livemode: false,
    managed_payments: null,
    metadata: fields.metadata,
    next_action: null,
    on_behalf_of: null,
    payment_method: null,
    payment_method_configuration_details: null,
    payment_method_options: {},
    payment_method_types: ['card', 'us_bank_account'],
    payment_record: null,
    processing: null,
    receipt_email: fields.receiptEmail,
    review: null,
    setup_future_usage: fields.setupFutureUsage,
    shipping: null,
    source: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: 'requires_payment_method',
    transfer_group: null,
  };
  const row = await tx.store.insert('payment_intent', intent, fields.hidden);
  await emit(tx, 'payment_intent.created', intent);
  return row;
}

export async function createIntent(
  tx: Transaction,
  params: Params,
): Promise<Stripe.PaymentIntent | DeclinedResponse> {
  const amount = params.requiredInteger('amount');
  checkAmount(amount, 'amount');
  const currency = checkCurrency(params.required('currency'), 'currency');
  const customer = params.text('customer') ?? null;
  if (customer) await findCustomer(tx, customer, 'customer', 400);
  const confirm = params.boolean('confirm');
  if (!confirm && params.has('off_session'))
    throw invalidRequest(
      'You can only set `off_session` when `confirm` is `true`.',
      'parameter_missing',
      'confirm',
    );
  const source = await readSource(tx, params, customer, amount, currency);
  const row = await insertIntent(tx, {
    amount,
    currency,
    customer,
    description: params.text('description') ?? null,
    metadata: params.merged('metadata'),
    setupFutureUsage: readFutureUsage(params),
    receiptEmail: params.text('receipt_email') ?? null,
    hidden: { returnUrl: params.text('return_url') },
  });
  if (confirm) return await confirmWith(tx, row, source, params);
  if (source) {
    row.data.status = 'requires_confirmation';
    row.data.payment_method = source.method.data.id;
    if (source.token) row.hidden.token = source.token;
    await tx.store.save(row);
  }
  return row.data;
}

interface PaymentSource {
  method: Row<'payment_method'>;
  token?: string;
}

/**
 * Reads the payment method, or the shared payment token (in `payment_method_data` or at the top
 * level).
 */
async function readSource(
  tx: Transaction,
  params: Params,
  customer: string | null,
  amount: number,
  currency: string,
): Promise<PaymentSource | null> {
  const token =
    params.nested('payment_method_data').text('shared_payment_granted_token') ??
    params.text('shared_payment_granted_token');
  if (token) return { method: await resolveToken(tx, token, amount, currency), token };
  const id = params.text('payment_method');
  return id ? { method: await resolveMethod(tx, id, customer) } : null;
}

async function confirmWith(
  tx: Transaction,
  row: Row<'payment_intent'>,
  source: PaymentSource | null,
  params: Params,
): Promise<Stripe.PaymentIntent | DeclinedResponse> {
  if (!source)
    throw invalidRequest(
      'You cannot confirm this PaymentIntent because it’s missing a payment method. You can either update the PaymentIntent with a payment method and then confirm it again, or confirm it again directly with a payment method.',
      'payment_intent_unexpected_state',
      'payment_method',
    );
  // Other values, `one_off` and `recurring`, are off-session too.
  const offSession = (params.text('off_session') ?? 'false') !== 'false';
  const initiator: Initiator = source.token ? 'token' : offSession ? 'off_session' : 'on_session';
  if (source.token) row.hidden.token = source.token;
  row.hidden.returnUrl = params.text('return_url') ?? row.hidden.returnUrl;
  const declined = await confirmPayment(tx, row, source.method, initiator);
  if (declined) return buildDeclinedResponse(row, source.method, declined);
  if (row.data.status === 'requires_action' && params.boolean('error_on_requires_action'))
    return buildDeclinedResponse(row, source.method, AUTHENTICATION_REQUIRED);
  return row.data;
}

function buildDeclinedResponse(
  row: Row<'payment_intent'>,
  method: Row<'payment_method'>,
  reason: Decline,
): DeclinedResponse {
  return {
    status: 402,
    body: {
      error: {
        type: 'card_error',
        code: reason.code,
        decline_code: reason.declineCode,
        doc_url: `https://docs.stripe.com/error-codes#${reason.code.replaceAll('_', '-')}`,
        message: reason.message,
        charge: getId(row.data.latest_charge) ?? undefined,
        payment_intent: row.data,
        payment_method: method.data,
      },
    },
  };
}

export async function confirmIntent(
  tx: Transaction,
  params: Params,
  id: string,
): Promise<Stripe.PaymentIntent | DeclinedResponse> {
  const row = await tx.store.get('payment_intent', id, 'intent');
  const { status, amount, currency } = row.data;
  if (status !== 'requires_payment_method' && status !== 'requires_confirmation')
    throw unexpectedState('confirm', status);
  const customer = getId(row.data.customer);
  const given = await readSource(tx, params, customer, amount, currency);
  return await confirmWith(tx, row, given ?? (await getStoredSource(tx, row)), params);
}

async function getStoredSource(tx: Transaction, row: Row<'payment_intent'>): Promise<PaymentSource | null> {
  const { amount, currency, payment_method } = row.data;
  const { token } = row.hidden;
  if (token) return { method: await resolveToken(tx, token, amount, currency), token };
  const id = getId(payment_method);
  return id === null ? null : { method: await tx.store.get('payment_method', id) };
}

export async function updateIntent(
  tx: Transaction,
  params: Params,
  id: string,
): Promise<Stripe.PaymentIntent> {
  const row = await tx.store.get('payment_intent', id, 'intent');
  if (params.has('description')) row.data.description = params.text('description') ?? null;
  if (params.has('metadata')) row.data.metadata = params.merged('metadata', row.data.metadata);
  await tx.store.save(row);
  return row.data;
}

export async function cancelIntent(
  tx: Transaction,
  params: Params,
  id: string,
): Promise<Stripe.PaymentIntent> {
  const row = await tx.store.get('payment_intent', id, 'intent');
  const { status } = row.data;
  if (status === 'succeeded' || status === 'canceled' || status === 'processing')
    throw unexpectedState('cancel', status);
  row.data.status = 'canceled';
  row.data.canceled_at = tx.now;
  row.data.next_action = null;
  row.data.cancellation_reason = readCancellation(params);
  await tx.store.save(row);
  await emit(tx, 'payment_intent.canceled', row.data);
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
