import { type ErrorDetails, GatewayError } from '../errors/gateway-error';
import type { Runtime } from '../runtime';
import { claimToken } from './claim-token';
import { findClaimNonce } from './store';

/** Builds `{base}/claim?token=…`. */
export function buildClaimUrl(runtime: Pick<Runtime, 'settings'>, accountId: string, nonce: string): string {
  const token = claimToken(runtime.settings.claimSecret, { accountId, nonce });
  return `${runtime.settings.baseUrl}/claim?token=${token}`;
}

/** Creates a CLAIM_REQUIRED error with the claim_url that an agent passes on to a person. */
export async function claimRequired(
  runtime: Pick<Runtime, 'db' | 'settings'>,
  accountId: string,
  message: string,
  details: ErrorDetails = {},
): Promise<GatewayError> {
  const nonce = await findClaimNonce(runtime.db, accountId);
  const claimUrl = nonce ? buildClaimUrl(runtime, accountId, nonce) : undefined;
  return new GatewayError('CLAIM_REQUIRED', { message, details: { ...details, claim_url: claimUrl } });
}
