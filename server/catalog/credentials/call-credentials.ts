import { GatewayError } from '../../core/errors/gateway-error';
import type { Runtime } from '../../core/runtime';
import type { KeyContext } from '../../core/trpc/context';
import type { AnyProviderName } from '../../platform/settings/providers';
import { CallCredential, type CredentialSource } from './call-credential';
import { findValueProblem } from './credential-value';
import { describeProviderKeys, getProviderHeader } from './describe-provider-keys';
import { queuedContext, savedContext } from './seal-context';
import { findDefaults, type SavedValue, touchDefault } from './store';

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

/** The credentials with which calls send requests to providers. */
export class CallCredentials {
  readonly #runtime: Pick<Runtime, 'log' | 'ports' | 'slots' | 'sql'>;

  constructor(runtime: Pick<Runtime, 'log' | 'ports' | 'slots' | 'sql'>) {
    this.#runtime = runtime;
  }

  /**
   * Chooses a call's credential: one sent with the call, else one saved in the account of its key,
   * else the platform's. The first usable provider wins in each. The value is checked after the
   * choice, so that an invalid key is never skipped for another.
   * @param slots providers that fit the call, the preferred one first
   * @returns null if there is no credential
   * @throws GatewayError INVALID_INPUT for a malformed header; INTERNAL if a saved value cannot be
   *   decrypted
   */
  async choose(
    { actor, providerKeys }: Pick<KeyContext, 'actor' | 'providerKeys'>,
    slots: readonly AnyProviderName[],
  ): Promise<CallCredential | null> {
    const { sql, ports, slots: registry } = this.#runtime;
    for (const slot of slots) {
      const sent = providerKeys.get(slot);
      if (sent !== undefined) return new CallCredential(slot, 'header', checkSent(this.#runtime, slot, sent));
    }
    const saved = await findDefaults(sql, actor.keyId, slots);
    for (const slot of slots) {
      const value = saved.find((row) => row.slot === slot);
      if (value) return new CallCredential(slot, 'saved', openSaved(ports.vault, value));
    }
    for (const slot of slots) {
      const { apiKey } = registry.get(slot);
      if (apiKey !== null) return new CallCredential(slot, 'platform', apiKey);
    }
    return null;
  }

  /** The error for a call without any credential. */
  describeMissing(slots: readonly AnyProviderName[]): GatewayError {
    const missing = describeProviderKeys(this.#runtime, slots);
    const names = missing.map(({ displayName }) => displayName).join(' or ');
    const [first] = missing;
    return new GatewayError('MISSING_CREDENTIALS', {
      message: `This needs a key of ${names}, and none is configured.`,
      hint: first && {
        rest: `Get a key at ${first.acquireUrl}, then send it as ${first.header}, or save it with PUT /v1/account/requirements/${first.name}.`,
        mcp: `Ask the user to get a key at ${first.acquireUrl} and to save it in the dashboard under Provider keys.`,
      },
      details: { missing, billed: false },
    });
  }

  /** Records that a saved value is in use. Does not block; a failure is only logged. */
  markUsed(keyId: string, slot: AnyProviderName): void {
    const { sql, log } = this.#runtime;
    touchDefault(sql, keyId, slot).catch((error) =>
      log.warn('provider_key.mark_used_failed', { slot, error }),
    );
  }

  /** Converts a call's credential for its row in the queue. */
  sealForQueue(callId: string, credential: CallCredential): QueuedCredential {
    const { slot, source, isByok } = credential;
    const { vault } = this.#runtime.ports;
    return {
      slot,
      source,
      sealedKey: isByok ? vault.seal(credential.reveal(), queuedContext(callId)) : null,
    };
  }

  /**
   * Restores the credential that a queued call was admitted with.
   * @throws Error, for the operator, if this worker cannot: another vault key, or no platform key
   */
  openFromQueue(callId: string, { slot: name, source, sealedKey }: QueuedCredential): CallCredential {
    const { slots, ports } = this.#runtime;
    const entry = slots.find(name);
    if (!entry) throw new Error(`There is no provider ${name}`);
    const { slot, apiKey } = entry;
    if (sealedKey !== null)
      return new CallCredential(slot, source, ports.vault.open(sealedKey, queuedContext(callId)));
    if (apiKey === null)
      throw new Error(`The queued call uses the platform's key of ${slot}, but this worker has none`);
    return new CallCredential(slot, source, apiKey);
  }
}

function checkSent({ slots }: Pick<Runtime, 'slots'>, slot: AnyProviderName, value: string): string {
  const problem = findValueProblem(slots.get(slot).provider, value);
  if (problem === null) return value;
  const header = getProviderHeader(slot);
  throw new GatewayError('INVALID_INPUT', {
    message: `${header}: ${problem}`,
    hint: {
      rest: 'Correct the header, or leave it out.',
      mcp: 'Correct the key in tool-gateway/providerKeys of _meta, or ask the user to correct it where this server is set up.',
    },
    details: { fields: [{ path: header, message: problem }], billed: false },
  });
}

function openSaved(vault: Runtime['ports']['vault'], value: SavedValue): string {
  try {
    return vault.open(value.sealed, savedContext(value));
  } catch (cause) {
    throw new GatewayError('INTERNAL', {
      message: `This gateway cannot decrypt the saved key of ${value.slot}.`,
      hint: {
        rest: `Save it again with PUT /v1/account/requirements/${value.slot}, or send the request_id to the operator.`,
        mcp: 'Ask the user to save it again in the dashboard under Provider keys, or send the request_id to the operator.',
      },
      details: { billed: false },
      cause,
    });
  }
}
