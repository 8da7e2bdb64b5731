import { type ErrorDetails, GatewayError } from '../../core/errors/gateway-error';
import type { Runtime } from '../../core/runtime';
import type { KeyContext } from '../../core/trpc/context';
import type { AnySlot } from '../../platform/settings/providers';
import { CallCredential } from './call-credential';
import { findValueProblem } from './credential-value';
import { savedContext } from './seal-context';
import { findDefaults, type SavedValue } from './store';

/**
 * The credential of a call: sent with it, else saved in the account that its key belongs to, else the platform's own; of
 * each the first slot that has one. The secret is not looked at before it is chosen: a bad one is never skipped for another.
 * @param slots those that fit the call, the preferred one first
 * @returns null where nobody has one
 * @throws GatewayError INVALID_INPUT for a header that cannot be a key, INTERNAL for a saved value that does not open
 */
export async function chooseCredential(
  { runtime, actor, providerKeys }: Pick<KeyContext, 'runtime' | 'actor' | 'providerKeys'>,
  slots: readonly AnySlot[],
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

function checkSent({ slots }: Runtime, slot: AnySlot, value: string): string {
  const problem = findValueProblem(slots.get(slot).provider, value);
  if (problem === null) return value;
  const header = headerOf(slot);
  throw new GatewayError('INVALID_INPUT', {
    message: `${header}: ${problem}`,
    hint: `Correct the header, or leave it out.`,
    details: { fields: [{ path: header, message: problem }], billed: false },
  });
}

function openSaved(vault: KeyContext['runtime']['ports']['vault'], value: SavedValue): string {
  try {
    return vault.open(value.sealed, savedContext(value));
  } catch (cause) {
    throw new GatewayError('INTERNAL', {
      message: `The saved key of ${value.slot} cannot be opened by this gateway.`,
      hint: `Save it again with PUT /v1/account/requirements/${value.slot}, or tell the operator the request_id.`,
      details: { billed: false },
      cause,
    });
  }
}

/** The header that carries a key of the provider. */
function headerOf(slot: string): string {
  return `X-Provider-Key-${slot}`;
}

/** The credentials any one of which would do, as a client is told. */
export function describeMissing(
  { slots: book }: Runtime,
  slots: readonly AnySlot[],
): NonNullable<ErrorDetails['missing']> {
  return slots.map((name) => {
    const { displayName, acquireUrl } = book.get(name).provider;
    return { name, displayName, acquireUrl };
  });
}

/** The refusal of a call for which nobody has a credential. */
export function missingCredentials(runtime: Runtime, slots: readonly AnySlot[]): GatewayError {
  const missing = describeMissing(runtime, slots);
  const names = missing.map(({ displayName }) => displayName).join(' or ');
  const [first] = missing;
  return new GatewayError('MISSING_CREDENTIALS', {
    message: `This needs a key of ${names}, and none is configured.`,
    hint: first
      ? `Get a key at ${first.acquireUrl}, then send it as ${headerOf(first.name)}, or save it with PUT /v1/account/requirements/${first.name}.`
      : undefined,
    details: { missing, billed: false },
  });
}
