import { NOSNIFF, transportSecurity } from '../../core/http/headers';

/** On every API response: it must not be sniffed, framed or run as a page. */
const SECURITY: Record<string, string> = {
  ...NOSNIFF,
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'cross-origin',
};

const EXPOSED = [
  'RateLimit',
  'RateLimit-Policy',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'Retry-After',
  'WWW-Authenticate',
  'Payment-Receipt',
  'PAYMENT-REQUIRED',
  'PAYMENT-RESPONSE',
  'Idempotent-Replayed',
  'Deprecation',
  'Sunset',
  'Link',
  'Location',
  'Preference-Applied',
  'Gateway-Receipt',
  'ETag',
  'Accept-Ranges',
  'Content-Range',
  'Content-Disposition',
  'Allow',
  'X-Request-Id',
  'Mcp-Session-Id',
  'MCP-Protocol-Version',
].join(', ');

/**
 * Any origin, without credentials: a cookie must not authenticate a cross-origin request to /v1
 * (standards section 12).
 */
const CORS: Record<string, string> = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': EXPOSED,
};

/** Headers of every response, fixed for the life of the process. */
export function baseHeaders(https: boolean): Readonly<Record<string, string>> {
  return {
    ...SECURITY,
    ...CORS,
    ...transportSecurity(https),
  };
}

const ALLOWED_HEADERS = [
  'Authorization',
  'Content-Type',
  'Idempotency-Key',
  'Range',
  'If-Range',
  'If-None-Match',
  'Prefer',
  'X-Request-Id',
  'Accept',
  'Accept-Payment',
  'PAYMENT-SIGNATURE',
  // The MCP transport's headers, over all its versions.
  'MCP-Protocol-Version',
  'Mcp-Session-Id',
  'Mcp-Method',
  'Mcp-Name',
  'Last-Event-ID',
];
const BY_NAME = /^(x-provider-key|mcp-param)-[a-z0-9_-]{1,40}$/;

/**
 * Headers of a preflight response. It needs no key and counts towards no limit; provider keys and
 * MCP parameters are allowed by name.
 */
export function preflightHeaders(requested: string | undefined): Record<string, string> {
  const named = (requested ?? '')
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => BY_NAME.test(name))
    .slice(0, 20);
  return {
    'Access-Control-Allow-Methods': 'GET, POST, PUT, PATCH, DELETE, OPTIONS',
    'Access-Control-Allow-Headers': [...ALLOWED_HEADERS, ...named].join(', '),
    'Access-Control-Max-Age': '600',
  };
}
