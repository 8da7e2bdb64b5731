import type { Actor } from '../auth/actor';
import { GatewayError } from '../errors/gateway-error';
import type { Runtime } from '../runtime';
import { addressesOf, thumbnailUrlOf } from './addresses';
import { describeAsset } from './find-public-asset';
import { type AssetList, assetIdInput } from './schema';
import { listAssetRows } from './store';

/**
 * The files of an account, newest first.
 * @param cursor the last id of the page before
 * @throws GatewayError INVALID_INPUT for a cursor that no page gave
 */
export async function listAssets(
  { db, settings }: Runtime,
  { accountId }: Pick<Actor, 'accountId'>,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<AssetList> {
  if (cursor !== undefined && !assetIdInput.safeParse({ assetId: cursor }).success)
    throw new GatewayError('INVALID_INPUT', {
      details: { fields: [{ path: 'cursor', message: 'Must be the next_cursor of the page before.' }] },
    });
  const rows = await listAssetRows(db, accountId, cursor, limit + 1);
  const shown = rows.slice(0, limit);
  return {
    assets: shown.map((row) => ({
      ...describeAsset(row),
      url: addressesOf(settings.baseUrl, row.id, row.filename).url,
      thumbnail_url: row.thumbnailKey === null ? null : thumbnailUrlOf(settings.baseUrl, row.id),
    })),
    next_cursor: rows.length > limit ? (shown.at(-1)?.id ?? null) : null,
  };
}
