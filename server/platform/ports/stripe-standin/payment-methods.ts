import { createHash } from 'node:crypto';
import type Stripe from 'stripe';
import { saveDefault } from './customers';
import { invalidRequest, StripeRefusal } from './errors';
import { idOf, newStripeId, type Row } from './objects';
import { findMagicCard, findTestCard, type TestCard } from './test-cards';
import { emit, type Work } from './work';

/** Who pays, as the checkout page asks. */
export interface Payer {
  email: string | null;
  name: string | null;
  expMonth: number;
  expYear: number;
}

const NOBODY: Payer = { email: null, name: null, expMonth: 12, expYear: 2034 };
const REUSED =
  'The provided PaymentMethod was previously used with a PaymentIntent without Customer attachment or was detached from a Customer. It may not be used again. To use a PaymentMethod multiple times, you must attach it to a Customer first.';

/** Stores a card, attached to nobody. */
export async function createCard(
  work: Work,
  card: TestCard,
  payer: Payer = NOBODY,
): Promise<Row<'payment_method'>> {
  const last4 = card.number.slice(-4);
  const method: Stripe.PaymentMethod = {
    ...newMethod(work, payer),
    type: 'card',
    card: {
      brand: card.brand,
      checks: { address_line1_check: null, address_postal_code_check: null, cvc_check: 'pass' },
      country: 'US',
      display_brand: card.brand === 'amex' ? 'american_express' : card.brand,
      exp_month: payer.expMonth,
      exp_year: payer.expYear,
      fingerprint: fingerprintOf(card.number),
      funding: 'credit',
      generated_from: null,
      last4,
      networks: { available: [card.brand], preferred: null },
      regulated_status: 'unregulated',
      three_d_secure_usage: { supported: true },
      wallet: null,
    },
  };
  return await work.store.insert('payment_method', method, { number: card.number });
}

/** Stores the pretend bank account, which pays some seconds later. */
export async function createBankAccount(work: Work, payer: Payer): Promise<Row<'payment_method'>> {
  const method: Stripe.PaymentMethod = {
    ...newMethod(work, payer),
    type: 'us_bank_account',
    us_bank_account: {
      account_holder_type: 'individual',
      account_type: 'checking',
      bank_name: 'PRETEND BANK',
      financial_connections_account: null,
      fingerprint: fingerprintOf('bank'),
      last4: '6789',
      networks: null,
      routing_number: '110000000',
      status_details: null,
    },
  };
  return await work.store.insert('payment_method', method, { number: null });
}

function newMethod(work: Work, payer: Payer) {
  return {
    id: newStripeId('pm'),
    object: 'payment_method' as const,
    allow_redisplay: 'unspecified' as const,
    billing_details: { address: null, email: payer.email, name: payer.name, phone: null, tax_id: null },
    created: work.now,
    customer: null,
    customer_account: null,
    livemode: false,
    metadata: {},
  };
}

function fingerprintOf(number: string): string {
  return createHash('sha256').update(number).digest('hex').slice(0, 16);
}

/** The test card that a stored payment method is; null for the bank account. */
export function cardOf({ hidden }: Row<'payment_method'>): TestCard | null {
  return hidden.number === null ? null : findTestCard(hidden.number);
}

/**
 * The payment method that a request names: a stored one, or a new one of an id such as `pm_card_visa`.
 * @throws StripeRefusal where it cannot be used, or not for this customer
 */
export async function usableMethod(
  work: Work,
  id: string,
  customerId: string | null,
): Promise<Row<'payment_method'>> {
  const magic = findMagicCard(id);
  if (magic) return await createCard(work, magic);
  const row = await work.store.get('payment_method', id, 'payment_method', 400);
  const owner = idOf(row.data.customer);
  if (row.hidden.detached) throw invalidRequest(REUSED, 'payment_method_unexpected_state', 'payment_method');
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

/** Saves a payment method for a customer's later charges. */
export async function attachMethod(
  work: Work,
  row: Row<'payment_method'>,
  customerId: string,
): Promise<void> {
  if (row.data.customer === customerId) return;
  if (row.data.customer !== null)
    throw invalidRequest('This PaymentMethod is already attached to another customer.');
  if (row.hidden.detached) throw invalidRequest(REUSED, 'payment_method_unexpected_state', 'payment_method');
  row.data.customer = customerId;
  await work.store.save(row);
  await emit(work, 'payment_method.attached', row.data);
}

/** A card that its issuer declines cannot be saved either. @throws StripeRefusal 402 */
export function refuseDeclined(row: Row<'payment_method'>): void {
  const reaction = cardOf(row)?.present;
  if (typeof reaction !== 'object') return;
  throw new StripeRefusal(402, {
    type: 'card_error',
    code: reaction.code,
    decline_code: reaction.declineCode,
    message: reaction.message,
  });
}

/** Forgets a customer's payment method; also as their default. */
export async function detachMethod(work: Work, row: Row<'payment_method'>): Promise<void> {
  const customerId = idOf(row.data.customer);
  if (customerId === null)
    throw invalidRequest(
      'The payment method you provided is not attached to a customer so detachment is impossible.',
    );
  row.data.customer = null;
  row.hidden.detached = true;
  await work.store.save(row);
  await emit(work, 'payment_method.detached', row.data, { customer: customerId });
  const customer = await work.store.get('customer', customerId);
  if (idOf(customer.data.invoice_settings.default_payment_method) === row.data.id)
    await saveDefault(work, customer, null);
}
