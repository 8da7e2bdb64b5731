import type Stripe from 'stripe';
import { invalidRequest } from './errors';
import type { Params } from './form';
import { idOf, newStripeId, type Row } from './objects';
import { chargeOf } from './refunds';
import { emit, type Work } from './work';

const FEE_CENTS = 1_500;
const WEEK_SECONDS = 604_800;
const OVER: readonly string[] = ['won', 'lost', 'warning_closed', 'prevented'];

/**
 * The cardholder's bank takes a payment back: `payment_intent` or `charge`, `amount` (default all of it), and
 * `inquiry=true` for a question that takes no money yet.
 */
export async function openDispute(work: Work, params: Params): Promise<Stripe.Dispute> {
  const row = await chargeOf(work, params);
  const charge = row.data;
  const inquiry = params.flag('inquiry');
  const amount = params.integer('amount') ?? charge.amount;
  if (amount < 1 || amount > charge.amount)
    throw invalidRequest('The disputed amount must be within the charge.', undefined, 'amount');
  const others = await work.store.all('dispute', { charge: charge.id });
  if (others.some(({ data }) => !OVER.includes(data.status)))
    throw invalidRequest(`Charge ${charge.id} is in dispute already.`, 'charge_disputed');
  const dispute = newDispute(work, charge, amount, inquiry);
  if (!inquiry) dispute.balance_transactions.push(moveFunds(work, dispute, -amount));
  await work.store.insert('dispute', dispute, {});
  charge.disputed = true;
  await work.store.save(row);
  await emit(work, 'charge.dispute.created', dispute);
  if (!inquiry) await emit(work, 'charge.dispute.funds_withdrawn', dispute);
  await emit(work, 'charge.updated', charge, { disputed: false });
  return dispute;
}

function newDispute(work: Work, charge: Stripe.Charge, amount: number, inquiry: boolean): Stripe.Dispute {
  return {
    id: newStripeId('du'),
    object: 'dispute',
    amount,
    balance_transactions: [],
    charge: charge.id,
    created: work.now,
    currency: charge.currency,
    enhanced_eligibility_types: [],
    evidence: NO_EVIDENCE,
    evidence_details: {
      due_by: work.now + WEEK_SECONDS,
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

/** Money that a dispute takes (negative, with the bank's fee) or gives back. */
function moveFunds(work: Work, dispute: Stripe.Dispute, amount: number): Stripe.BalanceTransaction {
  const fee = amount < 0 ? FEE_CENTS : 0;
  return {
    id: newStripeId('txn'),
    object: 'balance_transaction',
    amount,
    available_on: work.now,
    balance_type: 'payments',
    created: work.now,
    currency: dispute.currency,
    description: `Chargeback ${amount < 0 ? 'withdrawal' : 'reversal'} for ${idOf(dispute.charge)}`,
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

/** Answers the bank; as in Stripe's test mode the texts `winning_evidence` and `losing_evidence` decide at once. */
export async function updateDispute(work: Work, params: Params, id: string): Promise<Stripe.Dispute> {
  const row = await openOnly(work, id);
  const dispute = row.data;
  const text = params.under('evidence').text('uncategorized_text');
  if (params.has('metadata')) dispute.metadata = params.merged('metadata', dispute.metadata);
  if (text === 'winning_evidence') return await winDispute(work, id);
  if (text === 'losing_evidence') return await loseDispute(work, id);
  if (params.has('evidence') && (!params.has('submit') || params.flag('submit'))) {
    dispute.status = isInquiry(dispute) ? 'warning_under_review' : 'under_review';
    dispute.evidence = { ...dispute.evidence, uncategorized_text: text ?? null };
    dispute.evidence_details.has_evidence = true;
    dispute.evidence_details.submission_count += 1;
  }
  await work.store.save(row);
  await emit(work, 'charge.dispute.updated', dispute);
  return dispute;
}

/** The bank decides for us: the money comes back. */
export async function winDispute(work: Work, id: string): Promise<Stripe.Dispute> {
  const row = await openOnly(work, id);
  const dispute = row.data;
  if (isInquiry(dispute)) return await closeAs(work, row, 'warning_closed');
  dispute.balance_transactions.push(moveFunds(work, dispute, dispute.amount));
  await closeAs(work, row, 'won');
  await emit(work, 'charge.dispute.funds_reinstated', dispute);
  return dispute;
}

/** The bank decides against us, or we give up. */
export async function loseDispute(work: Work, id: string): Promise<Stripe.Dispute> {
  const row = await openOnly(work, id);
  return await closeAs(work, row, isInquiry(row.data) ? 'warning_closed' : 'lost');
}

async function closeAs(
  work: Work,
  row: Row<'dispute'>,
  status: 'won' | 'lost' | 'warning_closed',
): Promise<Stripe.Dispute> {
  const before = row.data.status;
  row.data.status = status;
  row.data.is_charge_refundable = status !== 'lost';
  await work.store.save(row);
  await emit(work, 'charge.dispute.closed', row.data, { status: before });
  return row.data;
}

async function openOnly(work: Work, id: string): Promise<Row<'dispute'>> {
  const row = await work.store.get('dispute', id);
  if (OVER.includes(row.data.status))
    throw invalidRequest(`This dispute is already closed (${row.data.status}).`, undefined, 'dispute');
  return row;
}

function isInquiry({ status }: Stripe.Dispute): boolean {
  return status.startsWith('warning');
}
