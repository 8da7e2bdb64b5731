import type Stripe from 'stripe';
import { invalidRequest } from './errors';
import type { Params } from './form';
import { idOf, newStripeId, type Row } from './objects';
import { emit, type Work } from './work';

const REASONS = ['duplicate', 'fraudulent', 'requested_by_customer'] as const;

/** The charge that a request means by `charge` or `payment_intent`: the one that was paid. */
export async function chargeOf(work: Work, params: Params): Promise<Row<'charge'>> {
  const intentId = params.text('payment_intent');
  if (!intentId) return await work.store.get('charge', params.need('charge'), 'charge', 400);
  const intent = await work.store.get('payment_intent', intentId, 'payment_intent', 400);
  const chargeId = idOf(intent.data.latest_charge);
  if (intent.data.status !== 'succeeded' || chargeId === null)
    throw invalidRequest(
      `This PaymentIntent (${intentId}) does not have a successful charge to refund.`,
      undefined,
      'payment_intent',
    );
  return await work.store.get('charge', chargeId);
}

/** Gives back some of a charge, by default all that is left. */
export async function createRefund(work: Work, params: Params): Promise<Stripe.Refund> {
  const row = await chargeOf(work, params);
  const charge = row.data;
  if (charge.status !== 'succeeded')
    throw invalidRequest(`Charge ${charge.id} has not been paid.`, 'charge_not_refundable');
  const disputes = await work.store.all('dispute', { charge: charge.id });
  if (disputes.some(({ data }) => !data.is_charge_refundable))
    throw invalidRequest(
      `Charge ${charge.id} has been charged back; cannot issue a refund.`,
      'charge_disputed',
    );
  const left = charge.amount - charge.amount_refunded;
  if (left === 0)
    throw invalidRequest(`Charge ${charge.id} has already been refunded.`, 'charge_already_refunded');
  const amount = params.integer('amount') ?? left;
  if (amount < 1) throw invalidRequest('Invalid positive integer', 'parameter_invalid_integer', 'amount');
  if (amount > left)
    throw invalidRequest(
      `Refund amount (${dollars(amount)}) is greater than unrefunded amount on charge (${dollars(left)})`,
      undefined,
      'amount',
    );
  const refund = newRefund(work, charge, amount, params);
  await work.store.insert('refund', refund, {});
  charge.amount_refunded += amount;
  charge.refunded = charge.amount_refunded === charge.amount;
  await work.store.save(row);
  await emit(work, 'refund.created', refund);
  await emit(work, 'charge.refunded', charge, { amount_refunded: charge.amount_refunded - amount });
  return refund;
}

function newRefund(work: Work, charge: Stripe.Charge, amount: number, params: Params): Stripe.Refund {
  const reason = params.text('reason') ?? null;
  return {
    id: newStripeId('re'),
    object: 'refund',
    amount,
    balance_transaction: newStripeId('txn'),
    charge: charge.id,
    created: work.now,
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

/** The bank sends the money of a refund back: the charge counts as paid again. */
export async function failRefund(work: Work, id: string): Promise<Stripe.Refund> {
  const row = await work.store.get('refund', id);
  const refund = row.data;
  if (refund.status === 'failed') throw invalidRequest(`Refund ${id} has already failed.`);
  refund.status = 'failed';
  refund.failure_reason = 'lost_or_stolen_card';
  refund.failure_balance_transaction = newStripeId('txn');
  await work.store.save(row);
  const charge = await work.store.get('charge', idOf(refund.charge) ?? '');
  const before = charge.data.amount_refunded;
  charge.data.amount_refunded -= refund.amount;
  charge.data.refunded = false;
  await work.store.save(charge);
  await emit(work, 'refund.updated', refund, { status: 'succeeded' });
  await emit(work, 'refund.failed', refund);
  await emit(work, 'charge.refund.updated', refund);
  await emit(work, 'charge.updated', charge.data, { amount_refunded: before });
  return refund;
}

function dollars(cents: number): string {
  return `$${(cents / 100).toFixed(2)}`;
}
