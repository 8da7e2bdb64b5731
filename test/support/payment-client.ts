import { createHmac } from 'node:crypto';
import type { Answer, Harness } from './harness';

/** The parameters of a "Payment" challenge, as sent. */
export type TestChallenge = Record<string, string>;

/** Parses the Payment challenges of a WWW-Authenticate header without the gateway's own library. */
export function readChallenges(header: string | undefined): TestChallenge[] {
  const parts = (header ?? '').split(/(?:^|, )Payment /).slice(1);
  return parts.map((part) =>
    Object.fromEntries([...part.matchAll(/([a-z]+)="([^"]*)"/g)].map(([, name, value]) => [name, value])),
  );
}

export const base64url = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
export const fromBase64url = (text: string) => JSON.parse(Buffer.from(text, 'base64url').toString());

/** Builds the Authorization header that pays a challenge. */
export function paymentHeader(challenge: TestChallenge, payload: unknown): { authorization: string } {
  return { authorization: `Payment ${base64url({ challenge, payload })}` };
}

/** Builds the payload of the sandbox method. */
export function sandboxProof({ id }: TestChallenge): { proof: string } {
  return {
    proof: createHmac('sha256', 'sandbox')
      .update(id ?? '')
      .digest('hex'),
  };
}

export const TOPUP_PATH = '/v1/billing/machine-topup';

/** Requests a top-up with a key and returns its challenges. */
export async function requestTopup(
  harness: Harness,
  key: string,
  amountUsd = 5,
): Promise<{ answer: Answer; stripe: TestChallenge; sandbox: TestChallenge; topupId: string }> {
  const answer = await harness.request('POST', TOPUP_PATH, { key, json: { amount_usd: amountUsd } });
  const challenges = readChallenges(answer.headers['www-authenticate']);
  const of = (method: string) => challenges.find((challenge) => challenge.method === method) ?? {};
  const { topup } = fromBase64url(challenges[0]?.opaque ?? base64url({}));
  return { answer, stripe: of('stripe'), sandbox: of('sandbox'), topupId: topup };
}

/** Repeats the request with the payment, without a key. */
export function sendPayment(
  harness: Harness,
  challenge: TestChallenge,
  payload: unknown,
  { amountUsd = 5, signal }: { amountUsd?: number; signal?: AbortSignal } = {},
): Promise<Answer> {
  const headers = paymentHeader(challenge, payload);
  return harness.request('POST', TOPUP_PATH, { json: { amount_usd: amountUsd }, headers, signal });
}
