import type Stripe from 'stripe';
import { emit, type Transaction } from '../state/transactions';

/** Adds a payment to the usage of its shared payment token, and deactivates it at its limit. */
export async function recordTokenUse(
  tx: Transaction,
  tokenId: string,
  intent: Stripe.PaymentIntent,
): Promise<void> {
  const row = await tx.store.get('shared_payment.granted_token', tokenId);
  const token = row.data;
  token.usage_details.amount_captured.value += intent.amount;
  const usedUp = token.usage_details.amount_captured.value >= token.usage_limits.max_amount;
  if (usedUp) {
    token.deactivated_at = tx.now;
    token.deactivated_reason = 'consumed';
  }
  await tx.store.save(row);
  await emit(tx, 'shared_payment.granted_token.used', token);
  if (usedUp) await emit(tx, 'shared_payment.granted_token.deactivated', token);
}
