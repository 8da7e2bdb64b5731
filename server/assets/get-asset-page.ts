import type { RequestContext } from '../core/trpc/context';
import { decodeText } from '../kit/decode-text.mjs';
import { buildAssetUrls, buildThumbnailUrl } from './asset-urls';
import { getPreviewKind } from './content-type';
import { countPublicRead } from './count-public-read';
import { getPublicAsset, type PublicAsset } from './find-public-asset';
import type { AssetPage } from './schema';

/** Bytes of a text that the page shows. */
const MAX_TEXT_BYTES = 64 * 1024;

/**
 * Loads the data of the page of an asset. A page view counts as a read of the file, so that pages
 * do not bypass the rate limit.
 * @throws GatewayError ASSET_NOT_FOUND, RATE_LIMIT_EXCEEDED
 */
export async function getAssetPage(context: RequestContext, assetId: string): Promise<AssetPage> {
  await countPublicRead(context);
  const { runtime } = context;
  const { baseUrl } = runtime.settings;
  const asset = await getPublicAsset(runtime, assetId);
  const { meta } = asset;
  const preview = getPreviewKind(meta.content_type);
  return {
    ...meta,
    ...buildAssetUrls(baseUrl, assetId, meta.filename),
    download_url: `${baseUrl}/v1/assets/${assetId}`,
    thumbnail_url: asset.thumbnail ? buildThumbnailUrl(baseUrl, assetId) : null,
    preview,
    ...(preview === 'text' ? await readBeginning(asset) : { text: null, text_is_cut: false }),
  };
}

/** If the store fails, the page shows the metadata without the text. */
async function readBeginning({
  meta,
  open,
}: PublicAsset): Promise<{ text: string | null; text_is_cut: boolean }> {
  const size = meta.size_bytes;
  if (size === 0) return { text: '', text_is_cut: false };
  const chunks: Uint8Array[] = [];
  try {
    const end = Math.min(size, MAX_TEXT_BYTES) - 1;
    for await (const chunk of await open({ start: 0, end })) chunks.push(chunk);
  } catch {
    return { text: null, text_is_cut: false };
  }
  const cut = size > MAX_TEXT_BYTES;
  const { text } = await decodeText(Buffer.concat(chunks), meta.content_type, { cut });
  return { text: text.replaceAll('\0', '\ufffd'), text_is_cut: cut };
}
