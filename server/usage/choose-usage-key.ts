import type { Runtime } from '../core/runtime';
import { type Actor, ownKeyOnly } from '../core/trpc/actor';
import { getKey, keyNotFound } from '../identity/keys/get-key';

/**
 * The key whose usage an actor may read: the one that was asked for, else all of the account
 * (undefined); for a restricted key always itself.
 * @throws GatewayError NOT_FOUND for a key of someone else, and for a restricted key any other key
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
