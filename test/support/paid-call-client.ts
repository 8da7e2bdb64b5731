import type { Answer, Harness } from './harness';
import { fromBase64url, paymentHeader, readChallenges, type TestChallenge } from './payment-client';

/** A call that costs ten cents. */
export const SPEND = { tool: 'diagnostics', skill: 'spend', input: { amount_usd: 0.1 } };
/** A paid call whose handler fails. */
export const FAILING = { tool: 'diagnostics', skill: 'flaky', input: { mode: 'throw' } };

/** The offer to pay for a call. */
export interface CallOffer {
  answer: Answer;
  stripe: TestChallenge;
  sandbox: TestChallenge;
  orderId: string;
}

/** Sends a call without a key and returns its challenges. */
export async function requestCall(harness: Harness, call: object = SPEND): Promise<CallOffer> {
  const answer = await harness.request('POST', '/v1/tools/call', { json: call });
  const challenges = readChallenges(answer.headers['www-authenticate']);
  const find = (method: string) => challenges.find((challenge) => challenge.method === method) ?? {};
  const { opaque } = challenges[0] ?? {};
  return {
    answer,
    stripe: find('stripe'),
    sandbox: find('sandbox'),
    orderId: opaque ? fromBase64url(opaque).order : '',
  };
}

/** Sends the call again with a payment. */
export function payCall(
  harness: Harness,
  challenge: TestChallenge,
  payload: unknown,
  { call = SPEND, headers, ip }: { call?: object; headers?: Record<string, string>; ip?: string } = {},
): Promise<Answer> {
  return harness.request('POST', '/v1/tools/call', {
    json: call,
    headers: { ...paymentHeader(challenge, payload), ...headers },
    ...(ip === undefined ? {} : { ip }),
  });
}

/** The parts that all answers to one paid call share. */
export function comparable({ status, body, headers }: Answer) {
  const { request_id: _, ...error } = body.error ?? {};
  return { status, body: body.error ? { ...body, error } : body, receipt: headers['payment-receipt'] };
}

/** The payment of a card for a challenge. */
export const buildToken = ({ id }: TestChallenge) => ({ spt: `spt_test_${id}` });

/** The credits, and whether each recorded call succeeded, of the account that an order opened. */
export async function listBooks({ runtime: { sql } }: Harness, orderId: string) {
  const credits = await sql`select 1 from ledger_entries e join orders o on o.account_id = e.account_id
    where o.id = ${orderId} and e.kind = 'purchase'`;
  const calls =
    await sql`select u.error_code from usage_records u join orders o on o.account_id = u.account_id
    where o.id = ${orderId}`;
  return { credits: credits.length, calls: calls.map(({ error_code: code }) => code === null) };
}
