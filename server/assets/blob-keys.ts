import { createHmac } from 'node:crypto';

const SPACE_CHARS = 16;

/**
 * The part of the store that is this gateway's. Two gateways may share a store (a preview beside production): neither
 * takes the other's files for strays. The secret is one for all processes of a gateway.
 */
export function blobSpace(claimSecret: string): string {
  return `${createHmac('sha256', claimSecret).update('blobs').digest('hex').slice(0, SPACE_CHARS)}/`;
}

/** Where the bytes of an asset are. The last two signs of an id are random: they spread files over folders. */
export function blobKeyOf(claimSecret: string, assetId: string): string {
  return `${blobSpace(claimSecret)}${assetId.slice(-2)}/${assetId}`;
}

const THUMBNAIL = '.webp';

/** Where the thumbnail is, if there is one. */
export function thumbnailKeyOf(blobKey: string): string {
  return blobKey + THUMBNAIL;
}

/** The asset that bytes under this key belong to, and the key of its own bytes. */
export function ownerOfKey(key: string): { id: string; blobKey: string } {
  const blobKey = key.endsWith(THUMBNAIL) ? key.slice(0, -THUMBNAIL.length) : key;
  return { id: blobKey.split('/').at(-1) ?? '', blobKey };
}
