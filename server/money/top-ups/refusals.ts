import { accountFrozen } from '../../core/errors/account-frozen';
import { GatewayError } from '../../core/errors/gateway-error';
import { disputedError } from '../billing/disputed-error';
import type { Refusal } from './payment-problem';
import type { TopupOfAccount } from './store';
import type { Standing } from './topup';

const RETRY_AFTER_SECONDS = 5;

/**
 * A 402 must offer a challenge, and a challenge needs an account. A credential that names none is
 * answered 401: a key must select the account first (RFC 9110 section 15.5.2).
 */
export function noAccount(message = 'This payment belongs to no challenge of this gateway.'): GatewayError {
  return new GatewayError('AUTH_REQUIRED', {
    message,
    hint: 'Request a challenge first: send the same request with Authorization: Bearer <API key>.',
  });
}

type BuyingAccount = Pick<TopupOfAccount, 'closed' | 'frozen' | 'disputed'>;

/** Checks, before any charge, that the account can use the credit. */
export function requirePayableAccount(account: BuyingAccount): void {
  if (account.closed) throw noAccount('The account of this challenge is closed. Nothing was charged.');
  if (account.frozen) throw accountFrozen({ outcome: 'Nothing was charged.' });
  if (account.disputed) throw disputedError();
}

export function stillCharging(): GatewayError {
  return new GatewayError('IDEMPOTENCY_IN_PROGRESS', {
    message: 'A payment for this challenge is in progress.',
    hint: 'Wait for Retry-After and send the same request with the same credential again.',
    details: { retry_after: RETRY_AFTER_SECONDS },
  });
}

/** It is unknown whether money was taken: a fresh challenge could lead to a second payment. */
export function paymentUnknown(cause?: unknown): GatewayError {
  return new GatewayError('UNAVAILABLE', {
    message: 'It is not known yet whether the payment was taken.',
    hint: 'Send the same request with the same credential again: it is paid once, however often it is sent.',
    details: { retry_after: RETRY_AFTER_SECONDS },
    cause,
  });
}

/** The payment could not even be checked. */
export function paymentUnavailable(cause: unknown): GatewayError {
  return new GatewayError('UNAVAILABLE', {
    message: 'The payment could not be verified. Nothing was charged.',
    hint: 'Send the same request with the same payment again.',
    details: { retry_after: RETRY_AFTER_SECONDS },
    cause,
  });
}

/** Why a credential does not pay. The bank's reason for a decline is not disclosed. */
export const REFUSALS = {
  unsupported: {
    type: 'method-unsupported',
    detail: 'This gateway does not take payments by this method.',
  },
  notOurs: {
    type: 'invalid-challenge',
    detail: 'The challenge differs from the one that this gateway issued.',
  },
  otherBody: { type: 'invalid-challenge', detail: 'The challenge is for another request body.' },
  badPayload: { type: 'invalid-payload', detail: 'The payload lacks fields that the method requires.' },
  usedElsewhere: {
    type: 'verification-failed',
    detail: 'This authorization was used for another challenge.',
  },
  badProof: { type: 'verification-failed', detail: 'The proof is not valid.' },
  notValid: { type: 'verification-failed', detail: 'The facilitator did not accept the authorization.' },
  declined: { type: 'verification-failed', detail: 'The payment was declined. Nothing was charged.' },
  needsAction: {
    type: 'payment-action-required',
    detail: 'The bank requires a person to confirm the payment. Nothing was charged.',
  },
} satisfies Record<string, Refusal>;

/** Why a challenge can no longer be paid. */
export const STANDINGS = {
  expired: { type: 'payment-expired', detail: 'The challenge has expired. Nothing was charged.' },
  ended: { type: 'invalid-challenge', detail: 'The challenge was already used, and its payment failed.' },
  used: { type: 'invalid-challenge', detail: 'Another challenge of this top-up was used.' },
} satisfies Record<Exclude<Standing, 'busy' | 'paid'>, Refusal>;
