import { createHash, randomBytes } from 'node:crypto';

/** Generates an invitation token of 256 random bits. */
export function newInvitationToken(): string {
  return `inv_${randomBytes(32).toString('base64url')}`;
}

/** Returns the hash that the database stores. A fast hash is enough: 256 bits cannot be guessed. */
export function hashInvitationToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
