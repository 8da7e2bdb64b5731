import type { Runtime } from '../../core/runtime';
import { CallCredential, type CredentialSource } from './call-credential';
import { queuedContext } from './seal-context';

/** A credential as it waits with a queued call. */
interface Waiting {
  slot: string;
  source: CredentialSource;
  /** The client's own key, sealed for this call; the platform's own is in the settings of every worker. */
  sealedKey: string | null;
}

/** The credential of a call for its row in the queue. */
export function sealForQueue({ ports }: Runtime, callId: string, credential: CallCredential): Waiting {
  const { slot, source, isOwn } = credential;
  return {
    slot,
    source,
    sealedKey: isOwn ? ports.vault.seal(credential.reveal(), queuedContext(callId)) : null,
  };
}

/**
 * The credential that a queued call was opened with, and no other.
 * @throws Error for the operator, where this worker cannot have it: another vault key, no platform key any more
 */
export function openFromQueue({ ports, slots }: Runtime, callId: string, waiting: Waiting): CallCredential {
  const { slot: name, source, sealedKey } = waiting;
  const entry = slots.find(name);
  if (!entry) throw new Error(`No provider is called ${name}`);
  const { slot, apiKey } = entry;
  if (sealedKey !== null)
    return new CallCredential(slot, source, ports.vault.open(sealedKey, queuedContext(callId)));
  if (apiKey === null)
    throw new Error(`A queued call was to use the platform's key of ${slot}, which this worker has not`);
  return new CallCredential(slot, source, apiKey);
}
