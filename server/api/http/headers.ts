/** On every API response: it must not be sniffed, framed or run as a page. */
const SECURITY: Record<string, string> = {
  'X-Content-Type-Options': 'nosniff',
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
  'Idempotent-Replayed',
  'Deprecation',
  'Sunset',
  'Link',
  'Location',
  'Preference-Applied',
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
    ...(https ? { 'Strict-Transport-Security': 'max-age=31536000; includeSubDomains' } : {}),
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
    'Access-Control-Allow-Methods': 'GET, POST, PUT, DELETE, OPTIONS',
    'Access-Control-Allow-Headers': [...ALLOWED_HEADERS, ...named].join(', '),
    'Access-Control-Max-Age': '600',
  };
}

const REALM = 'Bearer realm="gateway"';

/** RFC 6750 section 3: no `error` parameter if the request had no key. */
export function challenge(code: string): string {
  return code === 'AUTH_FAILED'
    ? `${REALM}, error="invalid_token", error_description="The API key is not valid"`
    : REALM;
}

const REQUEST_ID = /^[A-Za-z0-9._:+=@-]{1,128}$/;

/** Whether a client's X-Request-Id is valid and can be used. */
export function isRequestId(value: string | undefined): value is string {
  return value !== undefined && REQUEST_ID.test(value);
}
