import { GatewayError } from './gateway-error';

/**
 * The error for a method that a path does not support.
 * @param allow the methods it supports, as listed in the Allow header
 * @param instead other requests that the client may have meant, such as `POST /v1/tools/call`
 */
export function methodNotAllowed(
  method: string,
  allow: readonly string[],
  instead: readonly string[] = [],
): GatewayError {
  const works = allow.filter((name) => name !== 'OPTIONS' && name !== 'HEAD').join(' or ');
  const others = instead.length === 0 ? '' : `, or use ${instead.join(' or ')}`;
  return new GatewayError('METHOD_NOT_ALLOWED', {
    message: `This path does not support ${method.slice(0, 16)}; it supports ${allow.join(', ')}.`,
    hint: `Send the request with ${works}${others}.`,
    headers: { Allow: allow.join(', ') },
  });
}
