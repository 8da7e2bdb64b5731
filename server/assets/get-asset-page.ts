import type { RequestContext } from '../core/trpc/context';
import { addressesOf, thumbnailUrlOf } from './addresses';
import { previewOf } from './content-type';
import { getPublicAsset, type PublicAsset } from './find-public-asset';
import type { AssetPage } from './schema';
import { takePublicRead } from './take-public-read';

/** Of a text so much is shown; the rest is in the download. */
const SHOWN_TEXT_BYTES = 64 * 1024;

/**
 * All that the page about an asset shows. A look at it counts as one at the file: pages are no way around the limit.
 * @throws GatewayError NOT_FOUND, RATE_LIMIT_EXCEEDED
 */
export async function getAssetPage(context: RequestContext, assetId: string): Promise<AssetPage> {
  await takePublicRead(context);
  const { runtime } = context;
  const { baseUrl } = runtime.settings;
  const asset = await getPublicAsset(runtime, assetId);
  const { meta } = asset;
  const preview = previewOf(meta.content_type);
  return {
    ...meta,
    ...addressesOf(baseUrl, assetId, meta.filename),
    download_url: `${baseUrl}/v1/assets/${assetId}`,
    thumbnail_url: asset.thumbnail ? thumbnailUrlOf(baseUrl, assetId) : null,
    preview,
    ...(preview === 'text' ? await beginningOf(asset) : { text: null, text_is_cut: false }),
  };
}

/** A store that does not answer leaves the page without the text, not without the facts. */
async function beginningOf({
  meta,
  open,
}: PublicAsset): Promise<{ text: string | null; text_is_cut: boolean }> {
  const size = meta.size_bytes;
  if (size === 0) return { text: '', text_is_cut: false };
  const chunks: Uint8Array[] = [];
  try {
    const end = Math.min(size, SHOWN_TEXT_BYTES) - 1;
    for await (const chunk of await open({ start: 0, end })) chunks.push(chunk);
  } catch {
    return { text: null, text_is_cut: false };
  }
  const cut = size > SHOWN_TEXT_BYTES;
  // Streaming: a sign that the cut went through is left out instead of being shown as broken.
  const text = new TextDecoder().decode(Buffer.concat(chunks), { stream: cut });
  return { text: text.replaceAll('\0', '\ufffd'), text_is_cut: cut };
}
