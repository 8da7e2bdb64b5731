import { GatewayError } from '../../core/errors/gateway-error';
import { IMMUTABLE } from '../../core/http/headers';
import type { HttpRequest, HttpResponse } from '../../core/http/message';
import type { Download } from '../../core/trpc/context';
import { contentDisposition } from './content-disposition';
import { matchesEtag, requireMatch } from './preconditions';
import { parseRange } from './range';

const RETRY_AFTER_SECONDS = 5;

/** Assets are never pages of ours: no script in them runs, whatever their type (threats C1). */
const SANDBOX = "default-src 'none'; sandbox; frame-ancestors 'none'";

/**
 * Answers with the bytes of an asset per RFC 9110: all of them, one range, or 304.
 * @throws GatewayError UNAVAILABLE if the store fails, PRECONDITION_FAILED if If-Match names
 *   another version, RANGE_NOT_SATISFIABLE
 */
export async function answerDownload(
  request: Pick<HttpRequest, 'method' | 'header'>,
  download: Download,
  more: Record<string, string>,
): Promise<HttpResponse> {
  const etag = `"sha256-${download.sha256}"`;
  const headers: Record<string, string> = {
    ...more,
    'Content-Type': download.contentType,
    'Content-Disposition': contentDisposition(download.disposition, download.filename),
    'Content-Security-Policy': SANDBOX,
    'Cache-Control': IMMUTABLE,
    'Accept-Ranges': 'bytes',
    ETag: etag,
  };
  requireMatch(request.header('if-match'), etag);
  if (matchesEtag(request.header('if-none-match'), etag)) return { status: 304, headers, body: null };
  const ifRange = request.header('if-range')?.trim();
  // RFC 9110 defines ranges for GET only.
  const ranged = request.method === 'GET' && (ifRange === undefined || ifRange === etag);
  const range = parseRange(ranged ? request.header('range') : undefined, download.sizeBytes);
  if (range === 'unsatisfiable') throw unsatisfiable(download.sizeBytes);
  const length = range ? range.end - range.start + 1 : download.sizeBytes;
  headers['Content-Length'] = String(length);
  if (range) headers['Content-Range'] = `bytes ${range.start}-${range.end}/${download.sizeBytes}`;
  const status = range ? 206 : 200;
  if (request.method === 'HEAD' || length === 0) return { status, headers, body: null };
  return { status, headers, body: { bytes: await open(download, range ?? undefined) } };
}

function unsatisfiable(sizeBytes: number): GatewayError {
  return new GatewayError('RANGE_NOT_SATISFIABLE', {
    message: `Range: the asset has ${sizeBytes} bytes.`,
    headers: { 'Content-Range': `bytes */${sizeBytes}`, 'Accept-Ranges': 'bytes' },
  });
}

async function open(download: Download, range: Parameters<Download['open']>[0]) {
  try {
    return await download.open(range);
  } catch (cause) {
    if (cause instanceof GatewayError) throw cause;
    throw new GatewayError('UNAVAILABLE', {
      message: 'The asset store does not respond.',
      details: { retry_after: RETRY_AFTER_SECONDS },
      cause,
    });
  }
}
