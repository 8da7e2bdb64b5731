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

/** Builds the error response. A 402 always offers a new way to pay. */
export function paymentProblem(
  { type, detail }: Refusal,
  offer?: { header: string; firstId: string; challenges: readonly object[] },
): ProblemError {
  const problem: ProblemDetails = { type: BASE + type, ...PROBLEMS[type], detail };
  if (!offer) return new ProblemError(problem, {});
  problem.challengeId = offer.firstId;
  return new ProblemError(problem, { 'WWW-Authenticate': offer.header }, offer.challenges);
}
