import type Stripe from 'stripe';
import type { Transaction } from '../state/transactions';
import { newStripeId, type Row } from './objects';
import type { Decline } from './test-cards';

/** Stores one attempt to pay. */
export async function createCharge(
  tx: Transaction,
  intent: Stripe.PaymentIntent,
  method: Stripe.PaymentMethod,
  status: Stripe.Charge.Status,
  decline: Decline | null = null,
): Promise<Row<'charge'>> {
  const paid = status === 'succeeded';
  const id = newStripeId('ch');
  const charge: Stripe.Charge = {
    id,
    object: 'charge',
    amount: intent.amount,
    amount_captured: paid ? intent.amount : 0,
    amount_refunded: 0,
    application: null,
    application_fee: null,
    application_fee_amount: null,
    balance_transaction: paid ? newStripeId('txn') : null,
    billing_details: method.billing_details,
    calculated_statement_descriptor: 'TEST PAYMENT',
    captured: paid,
    created: tx.now,
    currency: intent.currency,
    customer: intent.customer,
    description: intent.description,
    disputed: false,
    failure_balance_transaction: null,
    failure_code: decline?.code ?? null,
    failure_message: decline?.message ?? null,
    fraud_details: {},
    livemode: false,
    metadata: intent.metadata,
    on_behalf_of: null,
    outcome: buildOutcome(decline),
    paid,
    payment_intent: intent.id,
    payment_method: method.id,
    payment_method_details: buildDetails(method, intent.amount),
    receipt_email: intent.receipt_email,
    receipt_number: null,
    receipt_url: null,
    refunded: false,
    review: null,
    shipping: null,
    source: null,
    source_transfer: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status,
    transfer_data: null,
    transfer_group: null,
  };
  return await tx.store.insert('charge', charge, {});
}

function buildOutcome(decline: Decline | null): Stripe.Charge.Outcome {
  return {
    advice_code: decline ? 'try_again_later' : null,
    network_advice_code: null,
    network_decline_code: decline ? '02' : null,
    network_status: decline ? 'declined_by_network' : 'approved_by_network',
    reason: decline?.declineCode ?? null,
    risk_level: 'normal',
    risk_score: 8,
    seller_message: decline
      ? 'The bank did not return any further details with this decline.'
      : 'Payment complete.',
    type: decline ? 'issuer_declined' : 'authorized',
  };
}

function buildDetails(method: Stripe.PaymentMethod, amount: number): Stripe.Charge.PaymentMethodDetails {
  const { card, us_bank_account: bank } = method;
  if (card)
    return {
      type: 'card',
      card: {
        amount_authorized: amount,
        authorization_code: '123456',
        brand: card.brand,
        checks: card.checks,
        country: card.country,
        electronic_commerce_indicator: null,
        exp_month: card.exp_month,
        exp_year: card.exp_year,
        ...(card.fingerprint !== undefined && { fingerprint: card.fingerprint }),
        funding: card.funding,
        installments: null,
        last4: card.last4,
        mandate: null,
        network: card.brand,
        network_transaction_id: null,
        regulated_status: 'unregulated',
        three_d_secure: null,
        transaction_link_id: null,
        wallet: null,
      },
    };
  return {
    type: 'us_bank_account',
    us_bank_account: {
      account_holder_type: bank?.account_holder_type ?? null,
      account_type: bank?.account_type ?? null,
      bank_name: bank?.bank_name ?? null,
      fingerprint: bank?.fingerprint ?? null,
      last4: bank?.last4 ?? null,
      payment_reference: null,
      routing_number: bank?.routing_number ?? null,
    },
  };
}
