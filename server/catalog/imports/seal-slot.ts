import type { Runtime } from '../../core/runtime';
import { slotContext, type ToolSlot } from './imported';

/** Seals the platform's value of a credential, under its next version. */
export function sealSlot(
  { ports: { vault } }: Runtime,
  slot: ToolSlot,
  value: string,
): Pick<ToolSlot, 'sealed' | 'vaultKeyId' | 'version'> {
  const version = slot.version + 1;
  return { sealed: vault.seal(value, slotContext({ ...slot, version })), vaultKeyId: vault.keyId, version };
}
