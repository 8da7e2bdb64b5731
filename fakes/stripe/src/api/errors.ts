import type Stripe from 'stripe';

type ErrorType = 'api_error' | 'card_error' | 'idempotency_error' | 'invalid_request_error';

export interface ErrorBody {
  error: {
    type: ErrorType;
    message: string;
    code?: string | undefined;
    decline_code?: string;
    doc_url?: string;
    param?: string | undefined;
    charge?: string | undefined;
    payment_intent?: Stripe.PaymentIntent;
    payment_method?: Stripe.PaymentMethod;
  };
}

/** An error response in Stripe's format. It rolls the transaction back. */
export class StripeApiError extends Error {
  constructor(
    readonly status: 400 | 401 | 402 | 404 | 409,
    readonly error: ErrorBody['error'],
  ) {
    super(error.message);
  }
}

export function invalidRequest(message: string, code?: string, param?: string): StripeApiError {
  return new StripeApiError(400, { type: 'invalid_request_error', message, code, param });
}

/** `status` is 404 for an id in the path, 400 for an id in a parameter. */
export function notFound(kind: string, id: string, param: string, status: 400 | 404 = 404): StripeApiError {
  return new StripeApiError(status, {
    type: 'invalid_request_error',
    code: 'resource_missing',
    doc_url: 'https://docs.stripe.com/error-codes#resource-missing',
    message: `No such ${kind}: '${id}'`,
    param,
  });
}

/** The connection drops after the commit: the client does not learn the result. */
export class ConnectionCut extends TypeError {
  constructor() {
    super('fetch failed', { cause: new Error('other side closed') });
  }
}
