import type { Runtime } from '../../core/runtime';
import { CallCredential, type CredentialSource } from './call-credential';
import { queuedContext } from './seal-context';

/** The stored credential of a queued call. */
interface QueuedCredential {
  slot: string;
  source: CredentialSource;
  /**
   * The caller's key, sealed for this call; null for the platform's, which each worker has in its
   * settings.
   */
  sealedKey: string | null;
}

/** Converts a call's credential for its row in the queue. */
export function sealForQueue(
  { ports }: Pick<Runtime, 'ports'>,
  callId: string,
  credential: CallCredential,
): QueuedCredential {
  const { slot, source, isByok } = credential;
  return {
    slot,
    source,
    sealedKey: isByok ? ports.vault.seal(credential.reveal(), queuedContext(callId)) : null,
  };
}

/**
 * Restores the credential that a queued call was opened with.
 * @throws Error, for the operator, if this worker cannot: another vault key, or no platform key
 */
export function openFromQueue(
  { ports, slots }: Pick<Runtime, 'ports' | 'slots'>,
  callId: string,
  waiting: QueuedCredential,
): CallCredential {
  const { slot: name, source, sealedKey } = waiting;
  const entry = slots.find(name);
  if (!entry) throw new Error(`There is no provider ${name}`);
  const { slot, apiKey } = entry;
  if (sealedKey !== null)
    return new CallCredential(slot, source, ports.vault.open(sealedKey, queuedContext(callId)));
  if (apiKey === null)
    throw new Error(`The queued call uses the platform's key of ${slot}, but this worker has none`);
  return new CallCredential(slot, source, apiKey);
}
