import { type ProblemDetails, ProblemError } from '../../core/errors/problem-error';

const BASE = 'https://paymentauth.org/problems/';

/** Problems of the "Payment" scheme used here, with their titles (draft-httpauth-payment-01). */
const PROBLEMS = {
  'payment-required': { title: 'Payment Required', status: 402 },
  'payment-expired': { title: 'Payment Expired', status: 402 },
  'payment-action-required': { title: 'Payment Action Required', status: 402 },
  'verification-failed': { title: 'Verification Failed', status: 402 },
  'invalid-challenge': { title: 'Invalid Challenge', status: 402 },
  'invalid-payload': { title: 'Invalid Payload', status: 402 },
  'method-unsupported': { title: 'Method Unsupported', status: 400 },
} as const satisfies Record<string, { title: string; status: number }>;

export type ProblemType = keyof typeof PROBLEMS;

/** Why a payment is required or was refused. */
export interface Refusal {
  type: ProblemType;
  detail: string;
}

/** The ways to pay: challenges of the "Payment" scheme, and requirements of x402. */
export interface PaymentOffer {
  header: string;
  firstId: string;
  challenges: readonly object[];
  /** The value of PAYMENT-REQUIRED. */
  x402?: string | undefined;
}

/** Builds the error response. A 402 always offers a new way to pay. */
export function paymentProblem({ type, detail }: Refusal, offer?: PaymentOffer): ProblemError {
  const problem: ProblemDetails = { type: BASE + type, ...PROBLEMS[type], detail };
  const headers: Record<string, string> = {};
  if (offer && offer.challenges.length > 0) {
    problem.challengeId = offer.firstId;
    headers['WWW-Authenticate'] = offer.header;
  }
  if (offer?.x402 !== undefined) headers['PAYMENT-REQUIRED'] = offer.x402;
  return new ProblemError(problem, headers, offer?.challenges);
}
