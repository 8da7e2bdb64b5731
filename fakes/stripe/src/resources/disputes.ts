import type Stripe from 'stripe';
import { invalidRequest } from '../api/errors';
import type { Params } from '../api/form';
import { emit, type Transaction } from '../state/transactions';
import { getId, newStripeId, type Row } from './objects';
import { resolveCharge } from './refunds';

const FEE_CENTS = 1_500;
const WEEK_SECONDS = 604_800;
const CLOSED_STATUSES: readonly string[] = ['won', 'lost', 'warning_closed', 'prevented'];

/**
 * The cardholder's bank disputes a payment. Parameters: `payment_intent` or `charge`, `amount` (by
 * default all of it), `inquiry=true` for an inquiry, which withdraws no funds.
 */
export async function openDispute(tx: Transaction, params: Params): Promise<Stripe.Dispute> {
  const row = await resolveCharge(tx, params);
  const charge = row.data;
  const inquiry = params.boolean('inquiry');
  const amount = params.integer('amount') ?? charge.amount;
  if (amount < 1 || amount > charge.amount)
    throw invalidRequest(
      'The disputed amount must be between 1 and the amount of the charge.',
      undefined,
      'amount',
    );
  const existing = await tx.store.all('dispute', { charge: charge.id });
  if (existing.some(({ data }) => !CLOSED_STATUSES.includes(data.status)))
    throw invalidRequest(`Charge ${charge.id} is in dispute already.`, 'charge_disputed');
  const dispute = newDispute(tx, charge, amount, inquiry);
  if (!inquiry) dispute.balance_transactions.push(createFundsMovement(tx, dispute, -amount));
  await tx.store.insert('dispute', dispute, {});
  charge.disputed = true;
  await tx.store.save(row);
  await emit(tx, 'charge.dispute.created', dispute);
  if (!inquiry) await emit(tx, 'charge.dispute.funds_withdrawn', dispute);
  await emit(tx, 'charge.updated', charge, { disputed: false });
  return dispute;
}

function newDispute(
  tx: Transaction,
  charge: Stripe.Charge,
  amount: number,
  inquiry: boolean,
): Stripe.Dispute {
  return {
    id: newStripeId('du'),
    object: 'dispute',
    amount,
    balance_transactions: [],
    charge: charge.id,
    created: tx.now,
    currency: charge.currency,
    enhanced_eligibility_types: [],
    evidence: NO_EVIDENCE,
    evidence_details: {
      due_by: tx.now + WEEK_SECONDS,
      enhanced_eligibility: {},
      has_evidence: false,
      past_due: false,
      submission_count: 0,
      submission_method: 'not_submitted',
    },
    intended_submission_method: null,
    is_charge_refundable: inquiry,
    livemode: false,
    metadata: {},
    payment_intent: charge.payment_intent,
    payment_method_details: {
      type: 'card',
      card: {
        brand: charge.payment_method_details?.card?.brand ?? 'visa',
        case_type: inquiry ? 'inquiry' : 'chargeback',
        network: 'visa',
        network_reason_code: '10.4',
      },
    },
    reason: 'fraudulent',
    status: inquiry ? 'warning_needs_response' : 'needs_response',
  };
}

const NO_EVIDENCE: Stripe.Dispute.Evidence = {
  access_activity_log: null,
  billing_address: null,
  cancellation_policy: null,
  cancellation_policy_disclosure: null,
  cancellation_rebuttal: null,
  customer_communication: null,
  customer_email_address: null,
  customer_name: null,
  customer_purchase_ip: null,
  customer_signature: null,
  duplicate_charge_documentation: null,
  duplicate_charge_explanation: null,
  duplicate_charge_id: null,
  enhanced_evidence: {},
  product_description: null,
  receipt: null,
  refund_policy: null,
  refund_policy_disclosure: null,
  refund_refusal_explanation: null,
  service_date: null,
  service_documentation: null,
  shipping_address: null,
  shipping_carrier: null,
  shipping_date: null,
  shipping_documentation: null,
  shipping_tracking_number: null,
  uncategorized_file: null,
  uncategorized_text: null,
};

/** Funds that a dispute withdraws (a negative amount, plus the fee) or reinstates. */
function createFundsMovement(
  tx: Transaction,
  dispute: Stripe.Dispute,
  amount: number,
): Stripe.BalanceTransaction {
  const fee = amount < 0 ? FEE_CENTS : 0;
  return {
    id: newStripeId('txn'),
    object: 'balance_transaction',
    amount,
    available_on: tx.now,
    balance_type: 'payments',
    created: tx.now,
    currency: dispute.currency,
    description: `Chargeback ${amount < 0 ? 'withdrawal' : 'reversal'} for ${getId(dispute.charge)}`,
    exchange_rate: null,
    fee,
    fee_details: [],
    net: amount - fee,
    reporting_category: amount < 0 ? 'dispute' : 'dispute_reversal',
    source: dispute.id,
    status: 'available',
    type: 'adjustment',
  };
}

/**
 * Submits evidence. As in Stripe's test mode, `winning_evidence` and `losing_evidence` close the
 * dispute.
 */
export async function updateDispute(tx: Transaction, params: Params, id: string): Promise<Stripe.Dispute> {
  const row = await getOpenDispute(tx, id);
  const dispute = row.data;
  const text = params.nested('evidence').text('uncategorized_text');
  if (params.has('metadata')) dispute.metadata = params.merged('metadata', dispute.metadata);
  if (text === 'winning_evidence') return await winDispute(tx, id);
  if (text === 'losing_evidence') return await loseDispute(tx, id);
  if (params.has('evidence') && (!params.has('submit') || params.boolean('submit'))) {
    dispute.status = isInquiry(dispute) ? 'warning_under_review' : 'under_review';
    dispute.evidence = { ...dispute.evidence, uncategorized_text: text ?? null };
    dispute.evidence_details.has_evidence = true;
    dispute.evidence_details.submission_count += 1;
  }
  await tx.store.save(row);
  await emit(tx, 'charge.dispute.updated', dispute);
  return dispute;
}

/** The merchant wins: the funds are reinstated. */
export async function winDispute(tx: Transaction, id: string): Promise<Stripe.Dispute> {
  const row = await getOpenDispute(tx, id);
  const dispute = row.data;
  if (isInquiry(dispute)) return await closeDispute(tx, row, 'warning_closed');
  dispute.balance_transactions.push(createFundsMovement(tx, dispute, dispute.amount));
  await closeDispute(tx, row, 'won');
  await emit(tx, 'charge.dispute.funds_reinstated', dispute);
  return dispute;
}

/** The merchant loses, or accepts the dispute. */
export async function loseDispute(tx: Transaction, id: string): Promise<Stripe.Dispute> {
  const row = await getOpenDispute(tx, id);
  return await closeDispute(tx, row, isInquiry(row.data) ? 'warning_closed' : 'lost');
}

async function closeDispute(
  tx: Transaction,
  row: Row<'dispute'>,
  status: 'won' | 'lost' | 'warning_closed',
): Promise<Stripe.Dispute> {
  const before = row.data.status;
  row.data.status = status;
  row.data.is_charge_refundable = status !== 'lost';
  await tx.store.save(row);
  await emit(tx, 'charge.dispute.closed', row.data, { status: before });
  return row.data;
}

async function getOpenDispute(tx: Transaction, id: string): Promise<Row<'dispute'>> {
  const row = await tx.store.get('dispute', id);
  if (CLOSED_STATUSES.includes(row.data.status))
    throw invalidRequest(`This dispute is already closed (${row.data.status}).`, undefined, 'dispute');
  return row;
}

function isInquiry({ status }: Stripe.Dispute): boolean {
  return status.startsWith('warning');
}
