type Json = Record<string, unknown>;

/** The security scheme of the paid retry, instead of a key. */
export const PAYMENT_SCHEME = {
  type: 'http' as const,
  scheme: 'Payment',
  description:
    'A payment for the challenge of an earlier 402 (draft-httpauth-payment-01): base64url JSON of the challenge and the payment data of the method.',
};

const CHALLENGE =
  'Payment id="qB3w…", realm="gateway.example.com", method="stripe", intent="charge", request="eyJhbW91bnQiOiI1ODAi…", digest="sha-256=:X48E9qOo…=:", expires="2026-11-21T12:10:00.000Z", opaque="eyJ0b3B1cCI6…"';

const PROBLEM = { schema: { $ref: '#/components/schemas/PaymentProblem' } };

function problem(type: string, status: number, title: string, detail: string): Json {
  const value = { type: `https://paymentauth.org/problems/${type}`, title, status, detail };
  return { summary: title, value: status === 402 ? { ...value, challengeId: 'qB3w…' } : value };
}

/** The 402 response of a route that machines pay for. */
function paymentRequired(requestId: Json): Json {
  return {
    description:
      'How to pay: a challenge for each method. Also sent, with the reason, if a payment credential failed.',
    headers: {
      ...requestId,
      'WWW-Authenticate': {
        description: 'The challenges. Each is bound to this request, and valid for ten minutes.',
        schema: { type: 'string' },
        example: CHALLENGE,
      },
    },
    content: {
      'application/problem+json': {
        ...PROBLEM,
        examples: {
          required: problem(
            'payment-required',
            402,
            'Payment Required',
            'Pay 5.80 USD for 5.00 USD of credit.',
          ),
          expired: problem(
            'payment-expired',
            402,
            'Payment Expired',
            'The challenge has expired. Nothing was charged.',
          ),
          declined: problem(
            'verification-failed',
            402,
            'Verification Failed',
            'The payment was declined. Nothing was charged.',
          ),
        },
      },
    },
  };
}

const METHOD_UNSUPPORTED = {
  ...PROBLEM,
  examples: {
    unsupported: problem(
      'method-unsupported',
      400,
      'Method Unsupported',
      'This gateway does not take payments by this method.',
    ),
  },
};

const RECEIPT = {
  description: 'base64url JSON: method, reference (the payment_ref), status and timestamp of the payment.',
  schema: { type: 'string' },
  example: 'eyJtZXRob2QiOiJzdHJpcGUiLCJyZWZlcmVuY2UiOiJwaV8…',
};

const IDEMPOTENCY_KEY =
  'Accepted, but not needed: a challenge is never stored as a response, and the challenge itself identifies the paid retry.';

interface Payable extends Json {
  responses: Record<string, Json>;
  parameters?: Json[];
}

/**
 * Adds what the generator cannot know about a payable route: the second security scheme, problem
 * details and the offer.
 */
export function describePayments(operation: Payable): void {
  operation.security = [{ apiKey: [] }, { payment: [] }];
  // Lets agents discover what they can pay for (discovery draft of the "Payment" scheme). The
  // amount depends on the body.
  operation['x-payment-info'] = {
    offers: [
      {
        method: 'stripe',
        intent: 'charge',
        amount: null,
        currency: 'usd',
        description: 'The credit and its fee.',
      },
    ],
  };
  const { 200: ok, 400: bad } = operation.responses;
  for (const parameter of operation.parameters ?? [])
    if (parameter.name === 'Idempotency-Key') parameter.description = IDEMPOTENCY_KEY;
  const requestId = { 'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' } };
  operation.responses['402'] = paymentRequired(requestId);
  if (ok) ok.headers = { ...(ok.headers as Json), 'Payment-Receipt': RECEIPT };
  if (bad) bad.content = { ...(bad.content as Json), 'application/problem+json': METHOD_UNSUPPORTED };
}

/**
 * Adds the payment of a single call, which the operator of a gateway may allow: the challenge is an
 * alternative in the 402 of a key without credit.
 */
export function describePayPerCall(operation: Payable): void {
  operation.security = [{ apiKey: [] }, { payment: [] }];
  const { 200: ok, 402: refused } = operation.responses;
  if (ok) ok.headers = { ...(ok.headers as Json), 'Payment-Receipt': RECEIPT, 'PAYMENT-RESPONSE': SETTLED };
  if (!refused) return;
  const { headers } = paymentRequired({}) as { headers: Json };
  // Not among the typed contents: the errors of clients with a key would lose their type.
  refused.description = `${refused.description} Without a key, where the gateway lets agents pay per call: how to pay, as a PaymentProblem in application/problem+json.`;
  refused.headers = { ...(refused.headers as Json), ...headers, 'PAYMENT-REQUIRED': REQUIRED };
}

const REQUIRED = {
  description: 'base64 JSON of the requirements of x402, version 2, if the gateway takes x402.',
  schema: { type: 'string' },
};

const SETTLED = {
  description: 'base64 JSON of the settlement, if the call was paid by x402.',
  schema: { type: 'string' },
};
