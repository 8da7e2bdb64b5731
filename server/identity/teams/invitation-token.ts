import { createHash, randomBytes } from 'node:crypto';

/** The token of an invitation: 256 random bits. It is in the mail only. */
export function newInvitationToken(): string {
  return `inv_${randomBytes(32).toString('base64url')}`;
}

/** What is stored and looked up. A fast hash: nobody guesses 256 bits. */
export function hashInvitationToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
