import { randomBytes } from 'node:crypto';
import {
  decodePaymentRequiredHeader,
  decodePaymentResponseHeader,
  encodePaymentSignatureHeader,
} from '@x402/core/http';
import type { Answer, Harness } from '@/test/support/harness';
import { SPEND } from '@/test/support/paid-call-client';

type Required = ReturnType<typeof decodePaymentRequiredHeader>;
export type X402Payment = Parameters<typeof encodePaymentSignatureHeader>[0];

/** Sends a call without a key; the official library reads its x402 requirements. */
export async function requestX402(harness: Harness, call: object = SPEND): Promise<Required> {
  const answer = await harness.request('POST', '/v1/tools/call', { json: call });
  return decodePaymentRequiredHeader(answer.headers['payment-required'] ?? '');
}

const hex = (bytes: number) => `0x${randomBytes(bytes).toString('hex')}`;

/** Accepts the offer with a new authorization; the fake facilitator checks no signature. */
export function authorize({ accepts, resource }: Required): X402Payment {
  const [accepted] = accepts;
  if (!accepted) throw new Error('The offer has no requirements');
  const { payTo: to, amount: value } = accepted;
  const authorization = {
    from: hex(20),
    to,
    value,
    validAfter: '0',
    validBefore: '9999999999',
    nonce: hex(32),
  };
  return { x402Version: 2, resource, accepted, payload: { signature: hex(65), authorization } };
}

export async function payX402(harness: Harness, payment: X402Payment, call: object = SPEND): Promise<Answer> {
  const headers = { 'payment-signature': encodePaymentSignatureHeader(payment) };
  return await harness.request('POST', '/v1/tools/call', { json: call, headers });
}

export function readX402Response({ headers }: Answer) {
  return decodePaymentResponseHeader(headers['payment-response'] ?? '');
}
