import { createHmac } from 'node:crypto';

const SPACE_CHARS = 16;

/**
 * Key prefix of this gateway. Several gateways may share a store (preview and production), and none
 * may remove the files of another. All processes of a gateway share the secret.
 */
export function buildBlobPrefix(claimSecret: string): string {
  return `${createHmac('sha256', claimSecret).update('blobs').digest('hex').slice(0, SPACE_CHARS)}/`;
}

/**
 * Blob key of an asset. The last two characters of an id are random, so they spread files over
 * folders.
 */
export function buildBlobKey(claimSecret: string, assetId: string): string {
  return `${buildBlobPrefix(claimSecret)}${assetId.slice(-2)}/${assetId}`;
}

const THUMBNAIL = '.webp';

/** Blob key of the thumbnail of an asset. */
export function buildThumbnailKey(blobKey: string): string {
  return blobKey + THUMBNAIL;
}

/**
 * Returns the asset id and the asset blob key that a key (of an asset or a thumbnail) belongs to.
 */
export function parseBlobKey(key: string): { id: string; blobKey: string } {
  const blobKey = key.endsWith(THUMBNAIL) ? key.slice(0, -THUMBNAIL.length) : key;
  return { id: blobKey.split('/').at(-1) ?? '', blobKey };
}
