import { GatewayError } from '../../core/errors/gateway-error';
import type { Runtime } from '../../core/runtime';
import type { KeyContext } from '../../core/trpc/context';
import type { AnyProviderName } from '../../platform/settings/providers';
import { CallCredential } from './call-credential';
import { findValueProblem } from './credential-value';
import { describeProviderKeys, getProviderHeader } from './describe-provider-keys';
import { savedContext } from './seal-context';
import { findDefaults, type SavedValue, touchDefault } from './store';

/**
 * Chooses a call's credential: one sent with the call, else one saved in the account of its key,
 * else the platform's. The first usable provider wins in each. The value is checked after the
 * choice, so that an invalid key is never skipped for another.
 * @param slots providers that fit the call, the preferred one first
 * @returns null if there is no credential
 * @throws GatewayError INVALID_INPUT for a malformed header; INTERNAL if a saved value cannot be
 *   decrypted
 */
export async function chooseCredential(
  { runtime, actor, providerKeys }: Pick<KeyContext, 'runtime' | 'actor' | 'providerKeys'>,
  slots: readonly AnyProviderName[],
): Promise<CallCredential | null> {
  for (const slot of slots) {
    const sent = providerKeys.get(slot);
    if (sent !== undefined) return new CallCredential(slot, 'header', checkSent(runtime, slot, sent));
  }
  const saved = await findDefaults(runtime.sql, actor.keyId, slots);
  for (const slot of slots) {
    const value = saved.find((row) => row.slot === slot);
    if (value) return new CallCredential(slot, 'saved', openSaved(runtime.ports.vault, value));
  }
  for (const slot of slots) {
    const { apiKey } = runtime.slots.get(slot);
    if (apiKey !== null) return new CallCredential(slot, 'platform', apiKey);
  }
  return null;
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

function openSaved(vault: KeyContext['runtime']['ports']['vault'], value: SavedValue): string {
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

/** The error for a call without any credential. */
export function missingCredentials(
  runtime: Pick<Runtime, 'slots'>,
  slots: readonly AnyProviderName[],
): GatewayError {
  const missing = describeProviderKeys(runtime, slots);
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
export function markUsed(
  { sql, log }: Pick<Runtime, 'log' | 'sql'>,
  keyId: string,
  slot: AnyProviderName,
): void {
  touchDefault(sql, keyId, slot).catch((error) => log.warn('provider_key.mark_used_failed', { slot, error }));
}
