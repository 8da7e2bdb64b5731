/**
 * Builds the public URLs of an asset: the plain file and the page for people. Uses the configured
 * base URL, never the request.
 */
export function buildAssetUrls(
  baseUrl: string,
  assetId: string,
  filename: string,
): { url: string; page_url: string } {
  return {
    url: `${baseUrl}/files/${assetId}/${encodeURIComponent(filename)}`,
    page_url: `${baseUrl}/assets/${assetId}`,
  };
}

/** Builds the URL of the thumbnail of an asset. */
export function buildThumbnailUrl(baseUrl: string, assetId: string): string {
  return `${baseUrl}/files/${assetId}/~thumbnail.webp`;
}

const OWN_PATH = /^\/(?:files\/(asset_[0-9a-z_]{1,80})\/[^/]*|v1\/assets\/(asset_[0-9a-z_]{1,80}))$/;

/** Returns the id of the asset that a URL of this gateway names; null for any other URL. */
export function parseAssetUrl(baseUrl: string, address: URL): string | null {
  if (address.origin !== new URL(baseUrl).origin) return null;
  const match = OWN_PATH.exec(address.pathname);
  return match?.[1] ?? match?.[2] ?? null;
}
