import {
  type CryptoKey,
  calculateJwkThumbprint,
  exportJWK,
  generateKeyPair,
  importJWK,
  type JWK,
  SignJWT,
} from 'jose';
import type { Database, Executor } from '@/db/client';
import { parseJson } from '../../kit/parse-json';
import type { Vault } from '../../platform/ports/ports';
import type { ReceiptClaims } from './schema';
import { insertReceiptKey, listActiveKeys, lockKeys, retireKeys } from './store';

const ALGORITHM = 'EdDSA';
const CURVE = 'Ed25519';
/** The media type of the `typ` header, so that a receipt cannot pass for another kind of token. */
const TYPE = 'gateway-receipt+jwt';
/** A process notices within this time that the operator has replaced the key. */
const MAX_AGE_MS = 60_000;

interface SigningKey {
  kid: string;
  key: CryptoKey;
}

interface SignerOptions {
  db: Database;
  vault: Vault;
}

/**
 * Signs receipts with the newest key of the database that this process can open. The first use
 * creates one; all processes agree on it, because its creation holds a lock.
 */
export class ReceiptSigner {
  readonly #options: SignerOptions;
  #current: Promise<SigningKey> | undefined;
  #readAt = 0;

  constructor(options: SignerOptions) {
    this.#options = options;
  }

  async sign(claims: ReceiptClaims): Promise<string> {
    const { kid, key } = await this.current();
    return await new SignJWT(claims).setProtectedHeader({ alg: ALGORITHM, kid, typ: TYPE }).sign(key);
  }

  /** Returns the key that signs now, after creating it if there is none. */
  current(): Promise<SigningKey> {
    if (this.#current && performance.now() - this.#readAt < MAX_AGE_MS) return this.#current;
    this.#readAt = performance.now();
    const found = findOrCreateKey(this.#options);
    this.#current = found;
    found.catch(() => {
      if (this.#current === found) this.#current = undefined;
    });
    return found;
  }

  /**
   * Retires all keys and creates a new one. Receipts of retired keys can still be verified.
   * @returns the number of retired keys
   */
  async replaceKey(): Promise<{ retired: number; kid: string }> {
    const { db, vault } = this.#options;
    const replaced = await db.transaction(async (tx) => {
      await lockKeys(tx);
      const retired = await retireKeys(tx);
      const { kid } = await createKey(tx, vault);
      return { retired, kid };
    });
    this.#current = undefined;
    return replaced;
  }
}

async function findOrCreateKey({ db, vault }: SignerOptions): Promise<SigningKey> {
  const found = await openNewest(db, vault);
  if (found) return found;
  return await db.transaction(async (tx) => {
    await lockKeys(tx);
    return (await openNewest(tx, vault)) ?? (await createKey(tx, vault));
  });
}

/** Null if there is no key, or none that a configured vault key opens. */
async function openNewest(db: Executor, vault: Vault): Promise<SigningKey | null> {
  for (const { kid, sealed } of await listActiveKeys(db)) {
    const opened = tryOpen(vault, kid, sealed);
    if (opened !== null) return { kid, key: await importPrivate(opened) };
  }
  return null;
}

function tryOpen(vault: Vault, kid: string, sealed: string): string | null {
  try {
    return vault.open(sealed, receiptKeyContext(kid));
  } catch {
    // Sealed with a vault key that was lost: the gateway goes on with a new signing key.
    return null;
  }
}

async function createKey(tx: Executor, vault: Vault): Promise<SigningKey> {
  const pair = await generateKeyPair(ALGORITHM, { crv: CURVE, extractable: true });
  const { x = '', d = '' } = await exportJWK(pair.privateKey);
  const jwk = { kty: 'OKP', crv: CURVE, x } as const;
  const kid = await calculateJwkThumbprint(jwk);
  await insertReceiptKey(tx, {
    kid,
    publicJwk: { ...jwk, kid, alg: ALGORITHM, use: 'sig' },
    sealed: vault.seal(JSON.stringify({ ...jwk, d }), receiptKeyContext(kid)),
    vaultKeyId: vault.keyId,
  });
  return { kid, key: pair.privateKey };
}

async function importPrivate(text: string): Promise<CryptoKey> {
  const key = await importJWK(parseJson(text) as JWK, ALGORITHM);
  if (key instanceof Uint8Array) throw new Error('The receipt key is not a private key');
  return key;
}

/** The context that the seal of a private key is bound to. */
export function receiptKeyContext(kid: string): string {
  return `receipt-key:${kid}`;
}
