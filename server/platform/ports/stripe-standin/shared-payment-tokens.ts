import { findCustomer } from './customers';
import { invalidRequest, StripeRefusal } from './errors';
import type { Params } from './form';
import { type GrantedToken, newStripeId, type Row } from './objects';
import { usableMethod } from './payment-methods';
import { emit, type Reading, type Work } from './work';

const DAY_SECONDS = 86_400;

/** Grants a token as an agent's own Stripe account would: a card, and what may be taken from it until when. */
export async function grantToken(work: Work, params: Params): Promise<GrantedToken> {
  const limits = params.under('usage_limits');
  const currency = limits.need('currency').toLowerCase();
  const maxAmount = limits.needInteger('max_amount');
  const expiresAt = limits.needInteger('expires_at');
  if (maxAmount < 1)
    throw invalidRequest('Invalid max_amount: must be positive', undefined, 'usage_limits[max_amount]');
  if (expiresAt <= work.now || expiresAt > work.now + 365 * DAY_SECONDS)
    throw invalidRequest(
      'Invalid expires_at: must be in the future, within a year.',
      undefined,
      'usage_limits[expires_at]',
    );
  const customer = params.text('customer') ?? null;
  if (customer) await findCustomer(work, customer, 'customer', 400);
  const method = await usableMethod(work, params.need('payment_method'), customer);
  const seller = params.under('seller_details');
  const token: GrantedToken = {
    id: newStripeId('spt'),
    object: 'shared_payment.granted_token',
    agent_details: { network_business_profile: null },
    created: work.now,
    customer,
    deactivated_at: null,
    deactivated_reason: null,
    livemode: false,
    payment_method_details: {
      billing_details: method.data.billing_details,
      card: method.data.card,
      type: method.data.type,
    },
    risk_details: null,
    seller_details: {
      network_id: seller.text('network_id') ?? seller.text('network_business_profile') ?? null,
      external_id: seller.text('external_id') ?? null,
    },
    shared_metadata: { ...params.merged('metadata'), ...params.merged('shared_metadata') },
    usage_details: { amount_captured: { currency, value: 0 } },
    usage_limits: { currency, expires_at: expiresAt, max_amount: maxAmount },
  };
  await work.store.insert('shared_payment.granted_token', token, { paymentMethod: method.data.id });
  return token;
}

export async function retrieveToken({ store, now }: Reading, id: string): Promise<GrantedToken> {
  const { data } = await store.get('shared_payment.granted_token', id);
  if (data.deactivated_at !== null || data.usage_limits.expires_at > now) return data;
  return { ...data, deactivated_at: data.usage_limits.expires_at, deactivated_reason: 'expired' };
}

export async function revokeToken(work: Work, id: string): Promise<GrantedToken> {
  const row = await work.store.get('shared_payment.granted_token', id);
  if (row.data.deactivated_at !== null)
    throw invalidRequest('This shared payment token has already been deactivated.');
  row.data.deactivated_at = work.now;
  row.data.deactivated_reason = 'revoked';
  await work.store.save(row);
  await emit(work, 'shared_payment.granted_token.deactivated', row.data);
  return row.data;
}

/**
 * The card behind a token, for a payment within its limits.
 * @throws StripeRefusal 402 where the token does not allow it
 */
export async function usableToken(
  work: Work,
  id: string,
  amount: number,
  currency: string,
): Promise<Row<'payment_method'>> {
  const { data, hidden } = await work.store.get(
    'shared_payment.granted_token',
    id,
    'shared_payment_granted_token',
    400,
  );
  const { usage_limits: limits, usage_details: used } = data;
  if (data.deactivated_at !== null)
    throw tokenDeclined(`The shared payment token ${id} has been deactivated (${data.deactivated_reason}).`);
  if (limits.expires_at <= work.now) throw tokenDeclined(`The shared payment token ${id} has expired.`);
  if (limits.currency !== currency)
    throw tokenDeclined(`The shared payment token ${id} only allows payments in ${limits.currency}.`);
  if (used.amount_captured.value + amount > limits.max_amount)
    throw tokenDeclined(`The amount exceeds what the shared payment token ${id} allows.`);
  return await work.store.get('payment_method', hidden.paymentMethod);
}

function tokenDeclined(message: string): StripeRefusal {
  return new StripeRefusal(402, {
    type: 'card_error',
    code: 'card_declined',
    decline_code: 'transaction_not_allowed',
    message,
    param: 'shared_payment_granted_token',
  });
}
