import { GatewayError } from '../core/errors/gateway-error';
import type { Runtime } from '../core/runtime';
import type { Actor } from '../core/trpc/actor';
import { markOwnManyDeleted } from './list-store';
import { removeAsset } from './remove-assets';

/** How many the store is asked to remove at once. */
const AT_ONCE = 8;

/**
 * Removes files of the asker's account. They are gone for everybody at once; bytes that the store keeps for now go later.
 * What is not there is left out: of several, some may have gone meanwhile.
 * @throws GatewayError NOT_FOUND where none is theirs
 */
export async function deleteAssets(
  runtime: Runtime,
  { accountId }: Pick<Actor, 'accountId'>,
  assetIds: readonly string[],
): Promise<{ success: true; asset_ids: string[] }> {
  const hidden = await markOwnManyDeleted(runtime.db, accountId, [...new Set(assetIds)]);
  if (hidden.length === 0) throw new GatewayError('NOT_FOUND', { message: 'You have no such file.' });
  for (let at = 0; at < hidden.length; at += AT_ONCE)
    await Promise.all(hidden.slice(at, at + AT_ONCE).map((asset) => removeAsset(runtime, asset)));
  return { success: true, asset_ids: hidden.map(({ id }) => id) };
}
