/** On every answer of the API: nothing here is a page, may be sniffed, framed or run. */
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

/** Any origin, without credentials: cookies must not authenticate /v1 from elsewhere (standards section 12). */
const CORS: Record<string, string> = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': EXPOSED,
};

/** Headers of every answer, fixed for the life of the process. */
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
  // Of the transport of MCP, in its versions.
  'MCP-Protocol-Version',
  'Mcp-Session-Id',
  'Mcp-Method',
  'Mcp-Name',
  'Last-Event-ID',
];
const BY_NAME = /^(x-provider-key|mcp-param)-[a-z0-9_-]{1,40}$/;

/** The answer to a preflight: needs no key, counts to nothing; headers of provider keys and MCP's parameters are allowed by name. */
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

/** RFC 6750 section 3: no error parameter where no key was sent. */
export function challenge(code: string): string {
  return code === 'AUTH_FAILED'
    ? `${REALM}, error="invalid_token", error_description="The API key is not valid"`
    : REALM;
}

const REQUEST_ID = /^[A-Za-z0-9._:+=@-]{1,128}$/;

/** Whether a client's own X-Request-Id can be kept. */
export function isRequestId(value: string | undefined): value is string {
  return value !== undefined && REQUEST_ID.test(value);
}
