import type { Actor } from '../auth/actor';
import { GatewayError } from '../errors/gateway-error';
import type { Runtime } from '../runtime';
import { removeAsset } from './remove-assets';
import { markOwnDeleted } from './store';

/**
 * Removes a file of the asker's account. It is gone for everybody at once; bytes that the store keeps for now go later.
 * @throws GatewayError NOT_FOUND, also for a file of somebody else
 */
export async function deleteAsset(
  runtime: Runtime,
  { accountId }: Pick<Actor, 'accountId'>,
  assetId: string,
): Promise<{ success: true; asset_id: string }> {
  const blobKey = await markOwnDeleted(runtime.db, accountId, assetId);
  if (blobKey === null) throw new GatewayError('NOT_FOUND', { message: 'You have no such file.' });
  await removeAsset(runtime, { id: assetId, blobKey });
  return { success: true, asset_id: assetId };
}
