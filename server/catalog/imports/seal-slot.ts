import type { Runtime } from '../../core/runtime';
import { slotContext, type ToolSlot } from './imported';

/** The platform's own value of a slot, sealed, in place of what is there. */
export function sealSlot(
  { ports: { vault } }: Runtime,
  slot: ToolSlot,
  value: string,
): Pick<ToolSlot, 'sealed' | 'vaultKeyId' | 'version'> {
  const version = slot.version + 1;
  return { sealed: vault.seal(value, slotContext({ ...slot, version })), vaultKeyId: vault.keyId, version };
}
