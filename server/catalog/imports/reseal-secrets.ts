import type { Runtime } from '../../core/runtime';
import { getCredentialContext } from './imported';
import { listToolCredentialsSealedBefore, replaceSealedToolCredential } from './store';

/** The platform's credential of an imported tool, sealed. */
interface SealedSecret {
  tool: string;
  slot: string;
  sealed: string;
  /** The context that the seal is bound to. */
  context: string;
}

/** Lists the credentials sealed with another vault key. */
export async function listToolSecretsBefore(
  { db }: Pick<Runtime, 'db'>,
  vaultKeyId: string,
): Promise<SealedSecret[]> {
  const slots = await listToolCredentialsSealedBefore(db, vaultKeyId);
  return slots.flatMap((slot) =>
    slot.sealed === null
      ? []
      : [{ tool: slot.tool, slot: slot.slot, sealed: slot.sealed, context: getCredentialContext(slot) }],
  );
}

/**
 * Stores a credential sealed with the current vault key; false if it was replaced or removed
 * concurrently.
 */
export async function replaceToolSecret(
  { db, ports }: Pick<Runtime, 'db' | 'ports'>,
  secret: SealedSecret,
  sealed: string,
): Promise<boolean> {
  return await replaceSealedToolCredential(db, secret, { sealed, vaultKeyId: ports.vault.keyId });
}
