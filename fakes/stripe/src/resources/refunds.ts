import type Stripe from 'stripe';
import { invalidRequest } from '../api/errors';
import type { Params } from '../api/form';
import { emit, type Transaction } from '../state/transactions';
import { getId, newStripeId, type Row } from './objects';

const REASONS = ['duplicate', 'fraudulent', 'requested_by_customer'] as const;

/** Finds the successful charge that a request names by `charge` or `payment_intent`. */
export async function resolveCharge(tx: Transaction, params: Params): Promise<Row<'charge'>> {
  const intentId = params.text('payment_intent');
  if (!intentId) return await tx.store.get('charge', params.required('charge'), 'charge', 400);
  const intent = await tx.store.get('payment_intent', intentId, 'payment_intent', 400);
  const chargeId = getId(intent.data.latest_charge);
  if (intent.data.status !== 'succeeded' || chargeId === null)
    throw invalidRequest(
      `This PaymentIntent (${intentId}) does not have a successful charge to refund.`,
      undefined,
      'payment_intent',
    );
  return await tx.store.get('charge', chargeId);
}

/** Refunds part of a charge, by default the remaining amount. */
export async function createRefund(tx: Transaction, params: Params): Promise<Stripe.Refund> {
  const row = await resolveCharge(tx, params);
  const charge = row.data;
  if (charge.status !== 'succeeded')
    throw invalidRequest(`Charge ${charge.id} has not been paid.`, 'charge_not_refundable');
  const disputes = await tx.store.all('dispute', { charge: charge.id });
  if (disputes.some(({ data }) => !data.is_charge_refundable))
    throw invalidRequest(
      `Charge ${charge.id} has been charged back; cannot issue a refund.`,
      'charge_disputed',
    );
  const remaining = charge.amount - charge.amount_refunded;
  if (remaining === 0)
    throw invalidRequest(`Charge ${charge.id} has already been refunded.`, 'charge_already_refunded');
  const amount = params.integer('amount') ?? remaining;
  if (amount < 1) throw invalidRequest('Invalid positive integer', 'parameter_invalid_integer', 'amount');
  if (amount > remaining)
    throw invalidRequest(
      `Refund amount (${formatDollars(amount)}) is greater than unrefunded amount on charge (${formatDollars(remaining)})`,
      undefined,
      'amount',
    );
  const refund = newRefund(tx, charge, amount, params);
  await tx.store.insert('refund', refund, {});
  charge.amount_refunded += amount;
  charge.refunded = charge.amount_refunded === charge.amount;
  await tx.store.save(row);
  await emit(tx, 'refund.created', refund);
  await emit(tx, 'charge.refunded', charge, { amount_refunded: charge.amount_refunded - amount });
  return refund;
}

function newRefund(tx: Transaction, charge: Stripe.Charge, amount: number, params: Params): Stripe.Refund {
  const reason = params.text('reason') ?? null;
  return {
    id: newStripeId('re'),
    object: 'refund',
    amount,
    balance_transaction: newStripeId('txn'),
    charge: charge.id,
    created: tx.now,
    currency: charge.currency,
    customer: charge.customer,
    customer_account: null,
    destination_details: {
      type: 'card',
      card: { reference_status: 'pending', reference_type: 'acquirer_reference_number', type: 'refund' },
    },
    metadata: params.merged('metadata'),
    payment_intent: charge.payment_intent,
    payment_method: charge.payment_method,
    reason: REASONS.find((known) => known === reason) ?? null,
    receipt_number: null,
    source_transfer_reversal: null,
    status: 'succeeded',
    transfer_reversal: null,
  };
}

/** The bank rejects a refund: the charge is no longer refunded. */
export async function failRefund(tx: Transaction, id: string): Promise<Stripe.Refund> {
  const row = await tx.store.get('refund', id);
  const refund = row.data;
  if (refund.status === 'failed') throw invalidRequest(`Refund ${id} has already failed.`);
  refund.status = 'failed';
  refund.failure_reason = 'lost_or_stolen_card';
  refund.failure_balance_transaction = newStripeId('txn');
  await tx.store.save(row);
  const charge = await tx.store.get('charge', getId(refund.charge) ?? '');
  const before = charge.data.amount_refunded;
  charge.data.amount_refunded -= refund.amount;
  charge.data.refunded = false;
  await tx.store.save(charge);
  await emit(tx, 'refund.updated', refund, { status: 'succeeded' });
  await emit(tx, 'refund.failed', refund);
  await emit(tx, 'charge.refund.updated', refund);
  await emit(tx, 'charge.updated', charge.data, { amount_refunded: before });
  return refund;
}

function formatDollars(cents: number): string {
  return `$${(cents / 100).toFixed(2)}`;
}
