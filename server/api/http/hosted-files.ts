import { openHosted, openThumbnail } from '../../assets/read-asset';
import { GatewayError } from '../../core/errors/gateway-error';
import type { Download, RequestContext } from '../../core/trpc/context';

const PREFIX = '/files/';
/** No file is named so: a name never begins with a tilde. */
const THUMBNAIL = '~thumbnail.webp';

/** Addresses of files for places that need a plain one: `/files/{assetId}/{filename}`. Not part of the documented API. */
export function isHostedPath(path: string): boolean {
  return path.startsWith(PREFIX);
}

/**
 * The file behind such an address. Its name is for people: the id alone says which file, but for the thumbnail.
 * @throws GatewayError NOT_FOUND, RATE_LIMIT_EXCEEDED
 */
export async function openHostedFile(context: RequestContext, path: string): Promise<Download> {
  const [assetId = '', name, ...more] = path.slice(PREFIX.length).split('/');
  if (name === undefined || name === '' || more.length > 0) throw new GatewayError('NOT_FOUND');
  return await (name === THUMBNAIL ? openThumbnail(context, assetId) : openHosted(context, assetId));
}
