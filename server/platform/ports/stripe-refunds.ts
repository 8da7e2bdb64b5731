import Stripe from 'stripe';
import type { RefundOutcome } from './ports';

/** No payment has more of them: each is at least a cent, and people press the button. */
const MOST_LOOKED_AT = 100;

/**
 * Gives back some of a payment, once a refund id. Stripe forgets idempotency keys after a day, so those that are there
 * already are looked at first: each carries its id.
 */
export async function refundPayment(
  stripe: Stripe,
  { refundId, paymentId, cents }: { refundId: string; paymentId: string; cents: number },
): Promise<RefundOutcome> {
  try {
    const made = await stripe.refunds.list({ payment_intent: paymentId, limit: MOST_LOOKED_AT });
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
