import type { Runtime } from '../core/runtime';
import type { Actor } from '../core/trpc/actor';
import { deleteAssets } from './delete-assets';

/**
 * Deletes a file of the account. It is hidden at once; if the store fails, the sweep removes the
 * bytes later.
 * @throws GatewayError NOT_FOUND, also for a file of another account
 */
export async function deleteAsset(
  runtime: Pick<Runtime, 'db' | 'log' | 'ports'>,
  actor: Actor,
  assetId: string,
): Promise<{ success: true; asset_id: string }> {
  await deleteAssets(runtime, actor, [assetId]);
  return { success: true, asset_id: assetId };
}
