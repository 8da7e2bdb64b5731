import type { Microusd } from '../../kit/money';
import type { PaymentSnapshot } from '../../platform/ports/ports';
import { proportionalCredits } from './purchase';

/** What the ledger should say about one payment. Never takes back more than was given. */
export interface ImpliedCredit {
  credited: Microusd;
  refunded: Microusd;
  disputed: Microusd;
  refundedCents: number;
  disputedCents: number;
  disputeOpen: boolean;
}

/**
 * Computes the credit that a payment's objects imply, regardless of history. Refunds and disputes
 * take back their share of the credit; a cent that is both refunded and disputed counts once.
 * @param order what was bought, from our own row
 */
export function computeCredit(
  order: { creditsMicrousd: Microusd; totalCents: number },
  facts: Pick<PaymentSnapshot, 'refundedCents' | 'disputes'>,
): ImpliedCredit {
  const { totalCents, creditsMicrousd: credits } = order;
  const standing = facts.disputes.filter(({ state }) => state !== 'won');
  const refundedCents = Math.min(facts.refundedCents, totalCents);
  const disputedCents = Math.min(
    standing.reduce((sum, { cents }) => sum + cents, 0),
    totalCents - refundedCents,
  );
  const refunded = proportionalCredits({ credits, totalCents }, refundedCents);
  const left = credits - refunded;
  const share = proportionalCredits({ credits, totalCents }, disputedCents);
  // Rounding twice must not leave a micro-dollar of a payment that was fully taken back.
  const disputed = refundedCents + disputedCents === totalCents || share > left ? left : share;
  return {
    credited: credits,
    refunded,
    disputed,
    refundedCents,
    disputedCents,
    disputeOpen: facts.disputes.some(({ state }) => state === 'open'),
  };
}
