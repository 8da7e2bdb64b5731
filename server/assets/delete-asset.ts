import type { Runtime } from '../core/runtime';
import type { Actor } from '../core/trpc/actor';
import { deleteAssets } from './delete-assets';

/**
 * Removes a file of the asker's account. It is gone for everybody at once; bytes that the store keeps for now go later.
 * @throws GatewayError NOT_FOUND, also for a file of somebody else
 */
export async function deleteAsset(
  runtime: Runtime,
  actor: Pick<Actor, 'accountId'>,
  assetId: string,
): Promise<{ success: true; asset_id: string }> {
  await deleteAssets(runtime, actor, [assetId]);
  return { success: true, asset_id: assetId };
}
