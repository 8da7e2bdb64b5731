import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { type Vault, VaultKeyMissing } from './ports';

const KEY_BYTES = 32;
const IV_BYTES = 12;
const TAG_BYTES = 16;

interface NamedKey {
  /** Stored in each value, to find the values that an old key has sealed. */
  id: string;
  /** 32 bytes in base64. */
  key: string;
}

/**
 * Creates an AES-256-GCM vault. A sealed value is `v1.<key id>.<iv>.<tag>.<ciphertext>`, base64url.
 * @param current seals, and opens what it has sealed
 * @param old only open
 */
export function createVault(current: NamedKey, old: readonly NamedKey[] = []): Vault {
  const keys = new Map([...old, current].map(({ id, key }) => [id, parseKey(key)]));
  const sealing = parseKey(current.key);
  return {
    keyId: current.id,
    keyIds: [...keys.keys()],
    seal(plain, context) {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv('aes-256-gcm', sealing, iv).setAAD(toAssociatedData(current.id, context));
      const sealed = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
      const parts = [iv, cipher.getAuthTag(), sealed].map((part) => part.toString('base64url'));
      return ['v1', current.id, ...parts].join('.');
    },
    open(sealed, context) {
      const [version, id, iv, tag, text] = sealed.split('.');
      if (version !== 'v1' || !id || !iv || !tag || text === undefined)
        throw new Error('This is not a sealed value');
      const key = keys.get(id);
      if (!key) throw new VaultKeyMissing(id);
      const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(iv, 'base64url'), {
        authTagLength: TAG_BYTES,
      })
        .setAAD(toAssociatedData(id, context))
        .setAuthTag(Buffer.from(tag, 'base64url'));
      return Buffer.concat([decipher.update(Buffer.from(text, 'base64url')), decipher.final()]).toString(
        'utf8',
      );
    },
  };
}

function parseKey(base64: string): Buffer {
  const key = Buffer.from(base64, 'base64');
  if (key.length !== KEY_BYTES) throw new Error('A vault key must have 32 bytes');
  return key;
}

function toAssociatedData(keyId: string, context: string): Buffer {
  return Buffer.from(`${keyId}:${context}`);
}
