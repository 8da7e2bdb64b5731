import type Stripe from 'stripe';
import { emit, type Work } from './work';

/** Counts a payment against its shared payment token; one that is used up ends. */
export async function spendToken(work: Work, tokenId: string, intent: Stripe.PaymentIntent): Promise<void> {
  const row = await work.store.get('shared_payment.granted_token', tokenId);
  const token = row.data;
  token.usage_details.amount_captured.value += intent.amount;
  const usedUp = token.usage_details.amount_captured.value >= token.usage_limits.max_amount;
  if (usedUp) {
    token.deactivated_at = work.now;
    token.deactivated_reason = 'consumed';
  }
  await work.store.save(row);
  await emit(work, 'shared_payment.granted_token.used', token);
  if (usedUp) await emit(work, 'shared_payment.granted_token.deactivated', token);
}
