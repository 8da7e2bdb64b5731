import type { Runtime } from '../../core/runtime';
import { getCredentialContext, type ToolCredential } from './imported';

/**
 * Decrypts the platform's value of a tool's credential. Returns null if there is none, or if it
 * cannot be decrypted, which is logged.
 */
export function openToolCredential(
  { ports, log }: Pick<Runtime, 'ports' | 'log'>,
  slot: ToolCredential,
): string | null {
  if (slot.sealed === null) return null;
  try {
    return ports.vault.open(slot.sealed, getCredentialContext(slot));
  } catch (error) {
    log.error('imported_tool.credential_unreadable', {
      tool: slot.tool,
      slot: slot.slot,
      error,
    });
    return null;
  }
}
