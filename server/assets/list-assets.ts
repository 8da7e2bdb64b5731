import type { Runtime } from '../core/runtime';
import { type Actor, getVisibleKeyId } from '../core/trpc/actor';
import { invalidCursor, splitPage } from '../core/trpc/cursor';
import { buildAssetUrls, buildThumbnailUrl } from './asset-urls';
import { describeAsset } from './find-public-asset';
import { type AssetListRow, type AssetPosition, type AssetScope, listAssetRows } from './list-store';
import { type AssetFilter, type AssetList, assetIdInput } from './schema';

/**
 * Lists the files that the actor may see, newest or largest first.
 * @param cursor the next_cursor of the previous page in the same order
 * @throws GatewayError INVALID_INPUT for an invalid cursor
 */
export async function listAssets(
  { db, settings }: Pick<Runtime, 'db' | 'settings'>,
  actor: Actor,
  { limit, cursor, ...filter }: AssetFilter & { limit: number; cursor?: string | undefined },
): Promise<AssetList> {
  const after = cursor === undefined ? null : readCursor(cursor);
  const rows = await listAssetRows(db, getListScope(actor), filter, after, limit + 1);
  const { page, last } = splitPage(rows, limit);
  return {
    assets: page.map(({ row, kind }) => ({
      ...describeAsset(row),
      ...buildAssetUrls(settings.baseUrl, row.id, row.filename),
      thumbnail_url: row.thumbnailKey === null ? null : buildThumbnailUrl(settings.baseUrl, row.id),
      kind,
      expires_at: row.expiresAt.toISOString(),
    })),
    next_cursor: last && writeCursor(last),
  };
}

/** A connected application lists the files of its account, as its consent page says. */
function getListScope(actor: Actor): AssetScope {
  const isApplication = actor.kind === 'key' && actor.application;
  return { accountId: actor.accountId, keyId: isApplication ? null : getVisibleKeyId(actor) };
}

/** `{size}.{id}`: the end of the page, for both orders. */
function writeCursor({ row }: AssetListRow): string {
  return `${row.sizeBytes}.${row.id}`;
}

const CURSOR = /^(\d{1,15})\.(.+)$/;

function readCursor(cursor: string): AssetPosition {
  const [, size, id] = CURSOR.exec(cursor) ?? [];
  const parsed = assetIdInput.safeParse({ assetId: id });
  if (parsed.success) return { id: parsed.data.assetId, sizeBytes: Number(size) };
  throw invalidCursor();
}
