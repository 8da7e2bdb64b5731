import type Stripe from 'stripe';

type ErrorType = 'api_error' | 'card_error' | 'idempotency_error' | 'invalid_request_error';

export interface ErrorBody {
  error: {
    type: ErrorType;
    message: string;
    code?: string;
    decline_code?: string;
    doc_url?: string;
    param?: string;
    charge?: string;
    payment_intent?: Stripe.PaymentIntent;
    payment_method?: Stripe.PaymentMethod;
  };
}

/** A refusal as Stripe's API words it; what the request has done so far is undone. */
export class StripeRefusal extends Error {
  constructor(
    readonly status: 400 | 401 | 402 | 404 | 409,
    readonly error: ErrorBody['error'],
  ) {
    super(error.message);
  }
}

/** 400 of a request that cannot be right. */
export function invalidRequest(message: string, code?: string, param?: string): StripeRefusal {
  return new StripeRefusal(400, { type: 'invalid_request_error', message, code, param });
}

/** 404 of a path's id, 400 of an id among the parameters. */
export function noSuch(kind: string, id: string, param: string, status: 400 | 404 = 404): StripeRefusal {
  return new StripeRefusal(status, {
    type: 'invalid_request_error',
    code: 'resource_missing',
    doc_url: 'https://docs.stripe.com/error-codes#resource-missing',
    message: `No such ${kind}: '${id}'`,
    param,
  });
}

/** The connection breaks after the work is done: the client never learns what happened. */
export class ConnectionCut extends TypeError {
  constructor() {
    super('fetch failed', { cause: new Error('other side closed') });
  }
}
