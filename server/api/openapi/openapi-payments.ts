type Json = Record<string, unknown>;

/** The scheme of the paid repeat: instead of a key. */
export const PAYMENT_SCHEME = {
  type: 'http' as const,
  scheme: 'Payment',
  description:
    'A payment for a challenge of an earlier 402 (draft-httpauth-payment-01): base64url JSON of the challenge and what the method pays with.',
};

const CHALLENGE =
  'Payment id="qB3w…", realm="gateway.example.com", method="stripe", intent="charge", request="eyJhbW91bnQiOiI1ODAi…", digest="sha-256=:X48E9qOo…=:", expires="2026-11-21T12:10:00.000Z", opaque="eyJ0b3B1cCI6…"';

const PROBLEM = { schema: { $ref: '#/components/schemas/PaymentProblem' } };

function problem(type: string, status: number, title: string, detail: string): Json {
  const value = { type: `https://paymentauth.org/problems/${type}`, title, status, detail };
  return { summary: title, value: status === 402 ? { ...value, challengeId: 'qB3w…' } : value };
}

/** The 402 of a route that is paid for by machines. */
function paymentRequired(requestId: Json): Json {
  return {
    description:
      'How to pay: a challenge for each method. Also after a credential that did not pay, with why.',
    headers: {
      ...requestId,
      'WWW-Authenticate': {
        description: 'The challenges. Each is for this body, for this account, and for ten minutes.',
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
  'Taken as everywhere, and not needed: a challenge is never kept, and the paid repeat is known by its challenge.';

interface Payable extends Json {
  responses: Record<string, Json>;
  parameters?: Json[];
}

/** What the generator cannot know of a route that is paid for: two ways to prove oneself, problem details, the offer. */
export function describePayments(operation: Payable): void {
  operation.security = [{ apiKey: [] }, { payment: [] }];
  // As agents look for what they can pay (the discovery draft of the "Payment" scheme). The price depends on the body.
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
