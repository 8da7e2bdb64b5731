import { GatewayError } from '../../core/errors/gateway-error';
import type { HttpRequest } from '../../core/http/message';

/**
 * Bodies are taken as they are: a compressed one would have to be bounded twice.
 * @throws GatewayError UNSUPPORTED_MEDIA_TYPE, with the codings that are taken (RFC 9110 section
 *   15.5.16)
 */
export function requirePlainBody(request: Pick<HttpRequest, 'header'>): void {
  const coding = request.header('content-encoding')?.trim().toLowerCase() ?? '';
  if (coding === '' || coding === 'identity') return;
  throw new GatewayError('UNSUPPORTED_MEDIA_TYPE', {
    message: 'The request body must not be compressed.',
    hint: 'Send the body without Content-Encoding.',
    headers: { 'Accept-Encoding': 'identity' },
  });
}
