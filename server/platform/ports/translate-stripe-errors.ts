import Stripe from 'stripe';
import { PaymentsUnavailable } from '../../core/errors/payments-unavailable';
import { withTimeout } from '../../kit/with-timeout';
import { CustomerNotFound } from './ports';

/**
 * The SDK waits for ever for a 101 response, which Node drops. Its two attempts end before this.
 */
export const STRIPE_LIMIT_MS = 32_000;

/**
 * Maps errors with an unknown outcome to PaymentsUnavailable; a refused request keeps its error.
 */
export async function translateStripeErrors<T>(
  request: () => Promise<T>,
  limitMs = STRIPE_LIMIT_MS,
): Promise<T> {
  try {
    return await withTimeout(request(), limitMs, () => {
      throw new PaymentsUnavailable('The payment provider did not respond');
    });
  } catch (cause) {
    if (isOutcomeUnknown(cause))
      throw new PaymentsUnavailable('The payment provider did not respond', { cause });
    if (isMissing(cause) && cause.param === 'customer')
      throw new CustomerNotFound('The payment provider has no such customer', { cause });
    throw cause;
  }
}

/** Whether the requested object does not exist. */
export function isMissing(
  error: unknown,
): error is InstanceType<typeof Stripe.errors.StripeInvalidRequestError> {
  return error instanceof Stripe.errors.StripeInvalidRequestError && error.code === 'resource_missing';
}

/** Whether it is unknown if the request took effect. */
export function isOutcomeUnknown(error: unknown): boolean {
  const { errors } = Stripe;
  return (
    error instanceof errors.StripeConnectionError ||
    error instanceof errors.StripeRateLimitError ||
    error instanceof errors.StripeAPIError ||
    // The key was used with other parameters before; whether that request succeeded is unknown.
    error instanceof errors.StripeIdempotencyError ||
    // The same request is still running at Stripe, so its outcome is unknown.
    (error instanceof errors.StripeError && error.statusCode === 409)
  );
}

/** Retrieves an object; null if it does not exist. */
export async function findObject<T>(retrieve: () => Promise<T>): Promise<T | null> {
  try {
    return await retrieve();
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}
