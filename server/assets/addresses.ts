/** Where an asset is for those who need a plain address, and for people. Made from our own base, never from a request. */
export function addressesOf(
  baseUrl: string,
  assetId: string,
  filename: string,
): { url: string; page_url: string } {
  return {
    url: `${baseUrl}/files/${assetId}/${encodeURIComponent(filename)}`,
    page_url: `${baseUrl}/assets/${assetId}`,
  };
}

/** Where its thumbnail is, where it has one. */
export function thumbnailUrlOf(baseUrl: string, assetId: string): string {
  return `${baseUrl}/files/${assetId}/~thumbnail.webp`;
}

const OWN_PATH = /^\/(?:files\/(asset_[0-9a-z_]{1,80})\/[^/]*|v1\/assets\/(asset_[0-9a-z_]{1,80}))$/;

/** The asset that an address of this gateway names; null for every other address. */
export function assetOfAddress(baseUrl: string, address: URL): string | null {
  if (address.origin !== new URL(baseUrl).origin) return null;
  const match = OWN_PATH.exec(address.pathname);
  return match?.[1] ?? match?.[2] ?? null;
}
