import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { Vault } from './ports';

const IV_BYTES = 12;

/**
 * AES-256-GCM under one named key. A sealed value is `v1.<key id>.<iv>.<tag>.<ciphertext>`, base64url.
 * @param key 32 bytes
 * @param keyId kept beside each value, so that a later key can tell which ones are still under this one
 */
export function createVault(key: Buffer, keyId: string): Vault {
  if (key.length !== 32) throw new Error('The vault key must have 32 bytes');
  return {
    seal(plain, context) {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(`${keyId}:${context}`));
      const sealed = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
      return [
        'v1',
        keyId,
        ...[iv, cipher.getAuthTag(), sealed].map((part) => part.toString('base64url')),
      ].join('.');
    },
    open(sealed, context) {
      const [version, id, iv, tag, text] = sealed.split('.');
      if (version !== 'v1' || id !== keyId || !iv || !tag || text === undefined)
        throw new Error('The sealed value is not of this vault');
      const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(iv, 'base64url'), {
        authTagLength: 16,
      })
        .setAAD(Buffer.from(`${keyId}:${context}`))
        .setAuthTag(Buffer.from(tag, 'base64url'));
      return Buffer.concat([decipher.update(Buffer.from(text, 'base64url')), decipher.final()]).toString(
        'utf8',
      );
    },
  };
}
