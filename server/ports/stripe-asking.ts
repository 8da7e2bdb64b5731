import Stripe from 'stripe';
import { CustomerGone, PaymentsUnavailable } from './ports';

/** Whatever leaves open whether it happened is PaymentsUnavailable; a refusal of ours to be mended is what it is. */
export async function asked<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (cause) {
    if (isUnknown(cause)) throw new PaymentsUnavailable('The payment provider did not answer', { cause });
    if (isMissing(cause) && cause.param === 'customer')
      throw new CustomerGone('The payment provider has no such customer', { cause });
    throw cause;
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
