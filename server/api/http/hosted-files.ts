import { openHosted, openThumbnail } from '../../assets/read-asset';
import { GatewayError } from '../../core/errors/gateway-error';
import type { Download, RequestContext } from '../../core/trpc/context';

const PREFIX = '/files/';
/** Cannot clash with an asset: filenames never begin with a tilde. */
const THUMBNAIL = '~thumbnail.webp';

/**
 * Whether the path is a plain file URL, `/files/{assetId}/{filename}`. Not part of the documented
 * API.
 */
export function isHostedPath(path: string): boolean {
  return path.startsWith(PREFIX);
}

/**
 * Opens the file behind such a URL. Only the id selects the file; the name is for people, except
 * for the thumbnail's.
 * @throws GatewayError NOT_FOUND, RATE_LIMIT_EXCEEDED
 */
export async function openHostedFile(context: RequestContext, path: string): Promise<Download> {
  const [assetId = '', name, ...more] = path.slice(PREFIX.length).split('/');
  if (name === undefined || name === '' || more.length > 0) throw new GatewayError('NOT_FOUND');
  return await (name === THUMBNAIL ? openThumbnail(context, assetId) : openHosted(context, assetId));
}
