import type { Runtime } from '../../core/runtime';
import { type Actor, getVisibleKeyId } from '../../core/trpc/actor';
import { getKey } from './get-key';
import { keyNotFound } from './key-errors';

/**
 * Returns the key to filter calls, jobs or usage by: the requested one, else undefined for all keys
 * of the account; a restricted key always gets itself.
 * @throws GatewayError NOT_FOUND for a key of another account, and for a restricted key any other
 *   key
 */
export async function chooseVisibleKey(
  runtime: Pick<Runtime, 'db'>,
  actor: Actor,
  requestedKeyId: string | undefined,
): Promise<string | undefined> {
  const own = getVisibleKeyId(actor);
  if (own !== null && (requestedKeyId ?? own) !== own) throw keyNotFound();
  if (requestedKeyId !== undefined) await getKey(runtime, actor, requestedKeyId);
  return own ?? requestedKeyId;
}
