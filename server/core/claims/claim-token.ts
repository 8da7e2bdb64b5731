import { createHash, createHmac, randomBytes } from 'node:crypto';

const PREFIX = 'clm_';

/** The inputs of a claim token. The database stores the nonce, but not the secret. */
export interface ClaimTokenParts {
  accountId: string;
  nonce: string;
}

/** Creates the nonce of a new provisional account: 128 random bits, base64url. */
export function newClaimNonce(): string {
  return randomBytes(16).toString('base64url');
}

/**
 * Derives an account's claim token: an HMAC, so that the gateway can repeat claim_url
 * (CLAIM_REQUIRED contains it) while the database stores only the token's hash.
 */
export function claimToken(secret: string, { accountId, nonce }: ClaimTokenParts): string {
  return PREFIX + createHmac('sha256', secret).update(`claim:v1:${accountId}:${nonce}`).digest('base64url');
}

/** The form in which a claim token is stored and looked up. */
export function hashClaimToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
