import { GatewayError } from '../core/errors/gateway-error';
import type { Runtime } from '../core/runtime';
import { type Actor, getVisibleKeyId } from '../core/trpc/actor';
import { markAccountAssetsDeleted } from './list-store';
import { removeAsset } from './remove-assets';

/** Deletions that run in parallel. */
const DELETE_CONCURRENCY = 8;

/**
 * Deletes files of the account; a restricted key deletes only its own. They are hidden at once; if
 * the store fails, the sweep removes the bytes later. Ids that do not exist are ignored.
 * @throws GatewayError NOT_FOUND if none of the ids is a file of the account
 */
export async function deleteAssets(
  runtime: Pick<Runtime, 'db' | 'log' | 'ports'>,
  actor: Actor,
  assetIds: readonly string[],
): Promise<{ success: true; asset_ids: string[] }> {
  const scope = { accountId: actor.accountId, keyId: getVisibleKeyId(actor) };
  const hidden = await markAccountAssetsDeleted(runtime.db, scope, [...new Set(assetIds)]);
  if (hidden.length === 0) throw new GatewayError('NOT_FOUND', { message: 'Your account has no such file.' });
  for (let at = 0; at < hidden.length; at += DELETE_CONCURRENCY)
    await Promise.all(hidden.slice(at, at + DELETE_CONCURRENCY).map((asset) => removeAsset(runtime, asset)));
  return { success: true, asset_ids: hidden.map(({ id }) => id) };
}
