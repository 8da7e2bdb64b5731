import { createHash } from 'node:crypto';
import type Stripe from 'stripe';
import { invalidRequest, StripeApiError } from '../api/errors';
import { emit, type Transaction } from '../state/transactions';
import { saveDefault } from './customers';
import { getId, newStripeId, type Row } from './objects';
import { findCardById, findTestCard, type TestCard } from './test-cards';

/** What a hosted page asks for about the payer. */
export interface Payer {
  email: string | null;
  name: string | null;
  expMonth: number;
  expYear: number;
}

const DEFAULT_PAYER: Payer = { email: null, name: null, expMonth: 12, expYear: 2034 };
const NOT_REUSABLE =
  'The provided PaymentMethod was previously used with a PaymentIntent without Customer attachment or was detached from a Customer. It may not be used again. To use a PaymentMethod multiple times, you must attach it to a Customer first.';

/** Stores a card that is not attached to a customer. */
export async function createCard(
  tx: Transaction,
  card: TestCard,
  payer: Payer = DEFAULT_PAYER,
): Promise<Row<'payment_method'>> {
  const last4 = card.number.slice(-4);
  const method: Stripe.PaymentMethod = {
    ...newMethod(tx, payer),
    type: 'card',
    card: {
      brand: card.brand,
      checks: { address_line1_check: null, address_postal_code_check: null, cvc_check: 'pass' },
      country: 'US',
      display_brand: card.brand === 'amex' ? 'american_express' : card.brand,
      exp_month: payer.expMonth,
      exp_year: payer.expYear,
      fingerprint: hashFingerprint(card.number),
      funding: 'credit',
      generated_from: null,
      last4,
      networks: { available: [card.brand], preferred: null },
      regulated_status: 'unregulated',
      three_d_secure_usage: { supported: true },
      wallet: null,
    },
  };
  return await tx.store.insert('payment_method', method, { number: card.number });
}

/** Stores the test bank account, whose debits take some seconds. */
export async function createBankAccount(tx: Transaction, payer: Payer): Promise<Row<'payment_method'>> {
  const method: Stripe.PaymentMethod = {
    ...newMethod(tx, payer),
    type: 'us_bank_account',
    us_bank_account: {
      account_holder_type: 'individual',
      account_type: 'checking',
      bank_name: 'STRIPE TEST BANK',
      financial_connections_account: null,
      fingerprint: hashFingerprint('bank'),
      last4: '6789',
      networks: null,
      routing_number: '110000000',
      status_details: null,
    },
  };
  return await tx.store.insert('payment_method', method, { number: null });
}

function newMethod(tx: Transaction, payer: Payer) {
  return {
    id: newStripeId('pm'),
    object: 'payment_method' as const,
    allow_redisplay: 'unspecified' as const,
    billing_details: { address: null, email: payer.email, name: payer.name, phone: null, tax_id: null },
    created: tx.now,
    customer: null,
    customer_account: null,
    livemode: false,
    metadata: {},
  };
}

function hashFingerprint(number: string): string {
  return createHash('sha256').update(number).digest('hex').slice(0, 16);
}

/** The test card of a stored payment method; null for the bank account. */
export function getTestCard({ hidden }: Row<'payment_method'>): TestCard | null {
  return hidden.number === null ? null : findTestCard(hidden.number);
}

/**
 * Finds the payment method that a request names, or creates one from an id such as `pm_card_visa`.
 * @throws StripeApiError if it cannot be used for this customer
 */
export async function resolveMethod(
  tx: Transaction,
  id: string,
  customerId: string | null,
): Promise<Row<'payment_method'>> {
  const card = findCardById(id);
  if (card) return await createCard(tx, card);
  const row = await tx.store.get('payment_method', id, 'payment_method', 400);
  const owner = getId(row.data.customer);
  if (row.hidden.detached)
    throw invalidRequest(NOT_REUSABLE, 'payment_method_unexpected_state', 'payment_method');
  if (owner !== null && owner !== customerId)
    throw invalidRequest(
      customerId === null
        ? `The PaymentMethod ${id} belongs to the Customer ${owner}. Please include the Customer in the \`customer\` parameter on the PaymentIntent.`
        : `The customer ${customerId} does not have a payment method with the ID ${id}.`,
      'payment_intent_invalid_parameter',
      'payment_method',
    );
  return row;
}

/** Attaches a payment method to a customer. */
export async function attachMethod(
  tx: Transaction,
  row: Row<'payment_method'>,
  customerId: string,
): Promise<void> {
  if (row.data.customer === customerId) return;
  if (row.data.customer !== null)
    throw invalidRequest('This PaymentMethod is already attached to another customer.');
  if (row.hidden.detached)
    throw invalidRequest(NOT_REUSABLE, 'payment_method_unexpected_state', 'payment_method');
  row.data.customer = customerId;
  await tx.store.save(row);
  await emit(tx, 'payment_method.attached', row.data);
}

/** A card that is always declined cannot be saved. @throws StripeApiError 402 */
export function requireChargeable(row: Row<'payment_method'>): void {
  const reaction = getTestCard(row)?.onSession;
  if (typeof reaction !== 'object') return;
  throw new StripeApiError(402, {
    type: 'card_error',
    code: reaction.code,
    decline_code: reaction.declineCode,
    message: reaction.message,
  });
}

/** Detaches a payment method from its customer, also as their default. */
export async function detachMethod(tx: Transaction, row: Row<'payment_method'>): Promise<void> {
  const customerId = getId(row.data.customer);
  if (customerId === null)
    throw invalidRequest(
      'The payment method you provided is not attached to a customer so detachment is impossible.',
    );
  row.data.customer = null;
  row.hidden.detached = true;
  await tx.store.save(row);
  await emit(tx, 'payment_method.detached', row.data, { customer: customerId });
  const customer = await tx.store.get('customer', customerId);
  if (getId(customer.data.invoice_settings.default_payment_method) === row.data.id)
    await saveDefault(tx, customer, null);
}
