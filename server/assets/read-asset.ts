import { GatewayError } from '../core/errors/gateway-error';
import type { Download, RequestContext } from '../core/trpc/context';
import { getServingPolicy, UNKNOWN_TYPE } from './content-type';
import { countPublicRead } from './count-public-read';
import { getPublicAsset, type PublicAsset } from './find-public-asset';
import { type AssetMeta, assetIdInput } from './schema';

/**
 * Returns the metadata of an asset.
 * @throws GatewayError ASSET_NOT_FOUND, RATE_LIMIT_EXCEEDED
 */
export async function getAssetMeta(context: RequestContext, assetId: string): Promise<AssetMeta> {
  await countPublicRead(context);
  const { meta } = await getPublicAsset(context.runtime, assetId);
  return meta;
}

/**
 * Downloads an asset through the API: always as an attachment of unknown type, so a browser never
 * opens it.
 * @throws GatewayError ASSET_NOT_FOUND, RATE_LIMIT_EXCEEDED
 */
export async function downloadAsset(context: RequestContext, assetId: string): Promise<void> {
  await countPublicRead(context);
  const { meta, open } = await getPublicAsset(context.runtime, assetId);
  context.reply.download = toDownload(meta, open, { contentType: UNKNOWN_TYPE, disposition: 'attachment' });
}

/**
 * Opens an asset with its true content type if that type cannot run code.
 * @throws GatewayError ASSET_NOT_FOUND, RATE_LIMIT_EXCEEDED
 */
export async function openHosted(context: RequestContext, assetId: string): Promise<Download> {
  await countPublicRead(context);
  const { meta, open } = await getPublicAsset(context.runtime, readId(assetId));
  return toDownload(meta, open, getServingPolicy(meta.content_type));
}

/**
 * Opens the thumbnail of an asset.
 * @throws GatewayError ASSET_NOT_FOUND; NOT_FOUND if it has no thumbnail; RATE_LIMIT_EXCEEDED
 */
export async function openThumbnail(context: RequestContext, assetId: string): Promise<Download> {
  await countPublicRead(context);
  const { meta, thumbnail } = await getPublicAsset(context.runtime, readId(assetId));
  if (!thumbnail) throw new GatewayError('NOT_FOUND', { message: 'This asset has no thumbnail.' });
  return {
    sizeBytes: thumbnail.sizeBytes,
    sha256: `${meta.sha256}-thumbnail`,
    filename: 'thumbnail.webp',
    contentType: 'image/webp',
    disposition: 'inline',
    open: thumbnail.open,
  };
}

function readId(assetId: string): string {
  if (assetIdInput.safeParse({ assetId }).success) return assetId;
  throw new GatewayError('ASSET_NOT_FOUND');
}

function toDownload(
  { size_bytes: sizeBytes, sha256, filename }: AssetMeta,
  open: PublicAsset['open'],
  as: Pick<Download, 'contentType' | 'disposition'>,
): Download {
  return { sizeBytes, sha256, filename, open, ...as };
}
