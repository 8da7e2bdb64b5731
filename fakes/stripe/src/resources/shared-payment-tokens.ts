import { invalidRequest, StripeApiError } from '../api/errors';
import type { Params } from '../api/form';
import { emit, type State, type Transaction } from '../state/transactions';
import { findCustomer } from './customers';
import { type GrantedToken, newStripeId, type Row } from './objects';
import { resolveMethod } from './payment-methods';

const DAY_SECONDS = 86_400;

/** Grants a token, as the Stripe account of an agent does: a card with a limit and an expiry. */
export async function grantToken(tx: Transaction, params: Params): Promise<GrantedToken> {
  const limits = params.nested('usage_limits');
  const currency = limits.required('currency').toLowerCase();
  const maxAmount = limits.requiredInteger('max_amount');
  const expiresAt = limits.requiredInteger('expires_at');
  if (maxAmount < 1)
    throw invalidRequest('Invalid max_amount: must be positive', undefined, 'usage_limits[max_amount]');
  if (expiresAt <= tx.now || expiresAt > tx.now + 365 * DAY_SECONDS)
    throw invalidRequest(
      'Invalid expires_at: must be in the future, within a year.',
      undefined,
      'usage_limits[expires_at]',
    );
  const customer = params.text('customer') ?? null;
  if (customer) await findCustomer(tx, customer, 'customer', 400);
  const method = await resolveMethod(tx, params.required('payment_method'), customer);
  const seller = params.nested('seller_details');
  const token: GrantedToken = {
    id: newStripeId('spt'),
    object: 'shared_payment.granted_token',
    agent_details: { network_business_profile: null },
    created: tx.now,
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
  await tx.store.insert('shared_payment.granted_token', token, { paymentMethod: method.data.id });
  return token;
}

export async function retrieveToken({ store, now }: State, id: string): Promise<GrantedToken> {
  const { data } = await store.get('shared_payment.granted_token', id);
  if (data.deactivated_at !== null || data.usage_limits.expires_at > now) return data;
  return { ...data, deactivated_at: data.usage_limits.expires_at, deactivated_reason: 'expired' };
}

export async function revokeToken(tx: Transaction, id: string): Promise<GrantedToken> {
  const row = await tx.store.get('shared_payment.granted_token', id);
  if (row.data.deactivated_at !== null)
    throw invalidRequest('This shared payment token has already been deactivated.');
  row.data.deactivated_at = tx.now;
  row.data.deactivated_reason = 'revoked';
  await tx.store.save(row);
  await emit(tx, 'shared_payment.granted_token.deactivated', row.data);
  return row.data;
}

/**
 * Finds the card of a token for a payment within its limits.
 * @throws StripeApiError 402 if the token does not allow the payment
 */
export async function resolveToken(
  tx: Transaction,
  id: string,
  amount: number,
  currency: string,
): Promise<Row<'payment_method'>> {
  const { data, hidden } = await tx.store.get(
    'shared_payment.granted_token',
    id,
    'shared_payment_granted_token',
    400,
  );
  const { usage_limits: limits, usage_details: usage } = data;
  if (data.deactivated_at !== null)
    throw declineToken(`The shared payment token ${id} has been deactivated (${data.deactivated_reason}).`);
  if (limits.expires_at <= tx.now) throw declineToken(`The shared payment token ${id} has expired.`);
  if (limits.currency !== currency)
    throw declineToken(`The shared payment token ${id} only allows payments in ${limits.currency}.`);
  if (usage.amount_captured.value + amount > limits.max_amount)
    throw declineToken(`The amount exceeds the remaining limit of the shared payment token ${id}.`);
  return await tx.store.get('payment_method', hidden.paymentMethod);
}

function declineToken(message: string): StripeApiError {
  return new StripeApiError(402, {
    type: 'card_error',
    code: 'card_declined',
    decline_code: 'transaction_not_allowed',
    message,
    param: 'shared_payment_granted_token',
  });
}
