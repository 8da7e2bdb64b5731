import type { Runtime } from '../../core/runtime';
import { findSealedSecret, insertSecret } from './store';
import { createSecret, sealSecret, secretContext } from './webhook-secret';

/** The secret of a key's webhooks, created when it is first needed. */
export async function createHolderSecret(
  { db, ports }: Pick<Runtime, 'db' | 'ports'>,
  holderId: string,
): Promise<string> {
  const found = await findSealedSecret(db, holderId);
  if (found !== null) return ports.vault.open(found, secretContext(holderId));
  await insertSecret(db, holderId, sealSecret(ports.vault, holderId, createSecret()));
  // Another process may have inserted one first.
  const sealed = await findSealedSecret(db, holderId);
  if (sealed === null) throw new Error(`The webhook secret of ${holderId} was deleted`);
  return ports.vault.open(sealed, secretContext(holderId));
}
