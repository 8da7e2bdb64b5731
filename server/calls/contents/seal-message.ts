import type { Runtime } from '../../core/runtime';
import type { Vault } from '../../platform/ports/ports';

/** Before a sealed message. No other message has it, because the flush removes it. */
export const SEAL_MARK = '\u0001';

/** Seals the error message of a call whose account stores contents. */
export function sealMessage(seal: Vault['seal'], callId: string, message: string): string {
  return SEAL_MARK + seal(message, messageContext(callId));
}

/** The error message of a call as it was before it was stored; null if its vault key is missing. */
export function openMessage(
  { ports, log }: Pick<Runtime, 'log' | 'ports'>,
  callId: string,
  stored: string | null,
): string | null {
  if (!stored?.startsWith(SEAL_MARK)) return stored;
  try {
    return ports.vault.open(stored.slice(SEAL_MARK.length), messageContext(callId));
  } catch (error) {
    log.error('call_message.unusable', { callId, error });
    return null;
  }
}

/** A claim moves a call to another account, so the seal is bound to the call only. */
export function messageContext(callId: string): string {
  return `call_message:${callId}`;
}
