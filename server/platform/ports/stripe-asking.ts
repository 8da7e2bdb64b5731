import Stripe from 'stripe';
import { PaymentsUnavailable } from '../../core/errors/payments-unavailable';
import { CustomerGone } from './ports';

/**
 * The SDK waits for ever for an answer of 101, which Node drops. Its own two attempts end before
 * this.
 */
export const STRIPE_LIMIT_MS = 32_000;

/**
 * Whatever leaves open whether it happened is PaymentsUnavailable; a refusal of ours to be mended
 * is what it is.
 */
export async function asked<T>(ask: () => Promise<T>, limitMs = STRIPE_LIMIT_MS): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    // raises nothing: it only rejects
    timer = setTimeout(() => reject(new PaymentsUnavailable('The payment provider did not answer')), limitMs);
  });
  try {
    return await Promise.race([ask(), late]);
  } catch (cause) {
    if (isUnknown(cause)) throw new PaymentsUnavailable('The payment provider did not answer', { cause });
    if (isMissing(cause) && cause.param === 'customer')
      throw new CustomerGone('The payment provider has no such customer', { cause });
    throw cause;
  } finally {
    clearTimeout(timer);
  }
}

/** The object that was asked for does not exist. */
export function isMissing(
  error: unknown,
): error is InstanceType<typeof Stripe.errors.StripeInvalidRequestError> {
  return error instanceof Stripe.errors.StripeInvalidRequestError && error.code === 'resource_missing';
}

/** Whether nobody knows if what was asked has happened. */
export function isUnknown(error: unknown): boolean {
  const { errors } = Stripe;
  return (
    error instanceof errors.StripeConnectionError ||
    error instanceof errors.StripeRateLimitError ||
    error instanceof errors.StripeAPIError ||
    // Something else was asked with this key before: whether it happened is still to be found out.
    error instanceof errors.StripeIdempotencyError ||
    // The same request is still running there: it will have happened, or not.
    (error instanceof errors.StripeError && error.statusCode === 409)
  );
}

/** What is retrieved; null where it does not exist. */
export async function found<T>(retrieve: () => Promise<T>): Promise<T | null> {
  try {
    return await retrieve();
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}
