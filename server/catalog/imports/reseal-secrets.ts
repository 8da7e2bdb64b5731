import type { Runtime } from '../../core/runtime';
import { slotContext } from './imported';
import { listSlotsSealedBefore, replaceSealedSlot } from './store';

/** The platform's own credential of an imported tool, sealed. */
interface SealedSecret {
  tool: string;
  slot: string;
  sealed: string;
  /** What it is bound to. */
  context: string;
}

/** Those that another key of the vault sealed. */
export async function listToolSecretsBefore({ db }: Runtime, vaultKeyId: string): Promise<SealedSecret[]> {
  const slots = await listSlotsSealedBefore(db, vaultKeyId);
  return slots.flatMap((slot) =>
    slot.sealed === null
      ? []
      : [{ tool: slot.tool, slot: slot.slot, sealed: slot.sealed, context: slotContext(slot) }],
  );
}

/** The same value under the current key of the vault; false where it was replaced or removed meanwhile. */
export async function replaceToolSecret(
  { db, ports }: Runtime,
  secret: SealedSecret,
  sealed: string,
): Promise<boolean> {
  return await replaceSealedSlot(db, secret, { sealed, vaultKeyId: ports.vault.keyId });
}
