import { randomBytes } from 'node:crypto';
import type { Vault } from '../../platform/ports/ports';

/** The specification requires 24 to 64. */
const SECRET_BYTES = 32;

/** Creates a signing secret as the Standard Webhooks specification writes it. */
export function createSecret(): string {
  return `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
}

/** Binds a sealed secret to its endpoint or key. */
export function secretContext(holderId: string): string {
  return `webhook:${holderId}`;
}

export function sealSecret(vault: Vault, holderId: string, secret: string): string {
  return vault.seal(secret, secretContext(holderId));
}
