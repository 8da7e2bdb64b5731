import Stripe from 'stripe';
import type { RefundOutcome } from './ports';

/** More refunds than any payment has. */
const MAX_LISTED_REFUNDS = 100;

/**
 * Refunds part of a payment, once per refund id. Stripe forgets idempotency keys after a day, so
 * the existing refunds, which carry their ids, are checked first.
 */
export async function refundPayment(
  stripe: Stripe,
  { refundId, paymentId, cents }: { refundId: string; paymentId: string; cents: number },
): Promise<RefundOutcome> {
  try {
    const made = await stripe.refunds.list({ payment_intent: paymentId, limit: MAX_LISTED_REFUNDS });
    const before = made.data.find(({ metadata }) => metadata?.refund_id === refundId);
    if (before) return { outcome: 'refunded', providerId: before.id };
    const { id } = await stripe.refunds.create(
      { payment_intent: paymentId, amount: cents, metadata: { refund_id: refundId } },
      { idempotencyKey: refundId },
    );
    return { outcome: 'refunded', providerId: id };
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeInvalidRequestError) || error.statusCode === 409) throw error;
    return { outcome: 'refused', message: error.message };
  }
}
