import type { Runtime } from '../core/runtime';
import { type Actor, ownKeyOnly } from '../core/trpc/actor';
import { getKey, keyNotFound } from '../identity/keys/get-key';

/**
 * Returns the key to filter usage by: the requested one, else undefined for all keys of the
 * account; a restricted key always gets itself.
 * @throws GatewayError NOT_FOUND for a key of another account, and for a restricted key any other
 *   key
 */
export async function chooseUsageKey(
  runtime: Runtime,
  actor: Actor,
  asked: string | undefined,
): Promise<string | undefined> {
  const own = ownKeyOnly(actor);
  if (own !== null && (asked ?? own) !== own) throw keyNotFound();
  if (asked !== undefined) await getKey(runtime, actor, asked);
  return own ?? asked;
}
