import { createHash } from 'node:crypto';
import type { PaymentMode } from '@/db/schema/payments';
import { formatUsd, type Microusd } from '../../kit/money';
import type { Topup } from './store';

/** The body digest bound into a challenge (RFC 9530): a payment for 1 dollar must not buy 500. */
export function computeDigest(body: Buffer): string {
  return `sha-256=:${createHash('sha256').update(body).digest('base64')}:`;
}

/** Formats an amount as `5.80 USD`. */
export function formatPrice(amount: Microusd): string {
  return `${formatUsd(amount).slice(1)} USD`;
}

/** The state of a top-up for a payment by one of its challenges. */
export type Standing =
  | 'paid'
  /** Unpaid, and its time is over. */
  | 'expired'
  /** Declined. */
  | 'ended'
  /** Another of its challenges was used. */
  | 'used'
  /** Another request is charging it. */
  | 'busy';

/** The state of a top-up that could not be leased for this challenge. */
export function getStanding(topup: Topup, challengeId: string, mode: PaymentMode): Standing {
  if (topup.challengeId !== null && topup.challengeId !== challengeId) return 'used';
  if (topup.status === 'paid') return 'paid';
  if (topup.status === 'expired') return 'expired';
  if (topup.status === 'failed') return 'ended';
  // The operator has changed the payment mode since the first attempt.
  if (topup.attempts > 0 && topup.mode !== mode) return 'used';
  if (topup.attempts === 0 && topup.late) return 'expired';
  return 'busy';
}

/** What a sealed payment is bound to: it opens only for its order. */
export function paymentSealContext({ id }: Pick<Topup, 'id'>): string {
  return `x402:${id}`;
}
