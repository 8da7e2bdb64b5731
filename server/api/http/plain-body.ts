import { GatewayError } from '../../core/errors/gateway-error';
import type { HttpRequest } from '../../core/http/message';

/**
 * Refuses compressed bodies: they would need a second limit for their decompressed size.
 * @throws GatewayError UNSUPPORTED_MEDIA_TYPE, with the accepted codings (RFC 9110 section 15.5.16)
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
