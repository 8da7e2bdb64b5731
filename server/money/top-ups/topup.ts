import { createHash } from 'node:crypto';
import type { PaymentMode } from '@/db/schema/payments';
import { formatUsd, type Microusd } from '../../kit/money';
import type { Topup } from './store';

/** What is bound into a challenge of the body it is for (RFC 9530): a payment for 1 dollar does not buy 500. */
export function digestOf(body: Buffer): string {
  return `sha-256=:${createHash('sha256').update(body).digest('base64')}:`;
}

/** `5.80 USD` */
export function inUsd(amount: Microusd): string {
  return `${formatUsd(amount).slice(1)} USD`;
}

/** What can become of a top-up that somebody wants to pay, or has paid. */
export type Standing =
  | 'paid'
  /** Nobody has paid, and it is too late now. */
  | 'expired'
  /** Declined. */
  | 'ended'
  /** Another of its challenges was used. */
  | 'used'
  /** Somebody is charging it. */
  | 'busy';

/** How a top-up stands that could not be claimed for this challenge. */
export function standingOf(topup: Topup, challengeId: string, mode: PaymentMode): Standing {
  if (topup.challengeId !== null && topup.challengeId !== challengeId) return 'used';
  if (topup.status === 'paid') return 'paid';
  if (topup.status === 'expired') return 'expired';
  if (topup.status === 'failed') return 'ended';
  // The operator has changed how payments are taken since it was tried.
  if (topup.attempts > 0 && topup.mode !== mode) return 'used';
  if (topup.attempts === 0 && topup.late) return 'expired';
  return 'busy';
}
