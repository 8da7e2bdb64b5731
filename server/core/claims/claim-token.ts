import { createHash, createHmac, randomBytes } from 'node:crypto';

const PREFIX = 'clm_';

/** What makes a claim token; the nonce is stored, the secret is not in the database. */
export interface ClaimTokenParts {
  accountId: string;
  nonce: string;
}

/** 128 random bits for a new provisional account. */
export function newClaimNonce(): string {
  return randomBytes(16).toString('base64url');
}

/**
 * The claim token of an account: an HMAC, so that claim_url can be said again (CLAIM_REQUIRED carries it) while the
 * database holds only its hash.
 */
export function claimToken(secret: string, { accountId, nonce }: ClaimTokenParts): string {
  return PREFIX + createHmac('sha256', secret).update(`claim:v1:${accountId}:${nonce}`).digest('base64url');
}

/** What is stored and looked up. */
export function hashClaimToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
