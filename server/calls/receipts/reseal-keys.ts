import type { Runtime } from '../../core/runtime';
import { receiptKeyContext } from './receipt-signer';
import { countSealedKeys, listKeysSealedBefore, replaceSealedKey, type SealedKey } from './store';

/** A signing key that another vault key has sealed, and the context that the seal is bound to. */
type KeyToReseal = SealedKey & { context: string };

/** Lists the signing keys that another vault key has sealed. */
export async function listReceiptKeysBefore(
  { db }: Pick<Runtime, 'db'>,
  vaultKeyId: string,
): Promise<KeyToReseal[]> {
  const keys = await listKeysSealedBefore(db, vaultKeyId);
  return keys.map((key) => ({ ...key, context: receiptKeyContext(key.kid) }));
}

/** Counts the signing keys by the vault key that has sealed them. */
export async function countReceiptKeys({
  db,
}: Pick<Runtime, 'db'>): Promise<{ keyId: string; signing: number }[]> {
  return await countSealedKeys(db);
}

/** Stores a resealed signing key; false if it was retired concurrently. */
export async function replaceReceiptKey(
  { db, ports }: Pick<Runtime, 'db' | 'ports'>,
  key: SealedKey,
  sealed: string,
): Promise<boolean> {
  return await replaceSealedKey(db, key, { sealed, vaultKeyId: ports.vault.keyId });
}
