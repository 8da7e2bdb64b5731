const text = (description: string, example: string) => ({ description, schema: { type: 'string' }, example });
const integer = (description: string, example: number) => ({
  description,
  schema: { type: 'integer', minimum: 0 },
  example,
});

/** The response headers that the document describes. */
export const RESPONSE_HEADERS = {
  'X-Request-Id': text(
    'Your own X-Request-Id, or ours; say it when you ask for help.',
    'req_01kp9vx3zq8h4m2n6r7s5t0w',
  ),
  ETag: text('Send it back in If-None-Match to be told 304 when nothing has changed.', '"q3b7…"'),
  'Accept-Ranges': text('Ranges of bytes can be asked for.', 'bytes'),
  'Content-Range': text('Which bytes these are, and of how many.', 'bytes 100-199/70000'),
  'Content-Disposition': text(
    'The name of the file (RFC 6266).',
    'attachment; filename="report.pdf"; filename*=UTF-8\'\'report.pdf',
  ),
  'WWW-Authenticate': text('The scheme to use (RFC 6750).', 'Bearer realm="gateway"'),
  'Retry-After': integer('Whole seconds to wait.', 37),
  Location: text('Where the job is: the same as poll_url.', 'http://localhost:3000/v1/jobs/job_01kp9vx3zq…'),
  'Idempotent-Replayed': text(
    'true where this is the first answer to an Idempotency-Key, given again.',
    'true',
  ),
  'Preference-Applied': text('The preferences of the Prefer header that were granted.', 'wait=10'),
  'RateLimit-Policy': text('The quotas, as a structured field.', '"minute";q=60;w=60, "hour";q=1000;w=3600'),
  RateLimit: text('What is left of them.', '"minute";r=59;t=60, "hour";r=999;t=3600'),
  'RateLimit-Limit': integer('Quota of the policy with the fewest calls left.', 60),
  'RateLimit-Remaining': integer('What is left of it.', 59),
  'RateLimit-Reset': integer('Seconds until it is whole again.', 60),
  'X-RateLimit-Limit': integer('The same as RateLimit-Limit.', 60),
  'X-RateLimit-Remaining': integer('The same as RateLimit-Remaining.', 59),
  'X-RateLimit-Reset': integer('The same as RateLimit-Reset.', 60),
  Deprecation: text('Only where it is deprecated: since when (RFC 9745).', '@1796083200'),
  Sunset: text(
    'Only where it will stop: the day it may, at the earliest (RFC 8594).',
    'Wed, 31 Mar 2027 23:59:59 GMT',
  ),
  Link: text(
    'Only where it is deprecated: where to read about it.',
    '<http://localhost:3000/docs/versioning>; rel="deprecation"; type="text/html"',
  ),
};

type HeaderName = keyof typeof RESPONSE_HEADERS;

/** What every answer about a quota carries. */
export const RATE_LIMIT_HEADERS = [
  'RateLimit-Policy',
  'RateLimit',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
] as const satisfies readonly HeaderName[];

/**
 * What every answer about something deprecated carries, and no other; Sunset only where a day is
 * set.
 */
export const DEPRECATION_HEADERS = ['Deprecation', 'Sunset', 'Link'] as const satisfies readonly HeaderName[];

/** The headers of a response, by reference. */
export function headerRefs(...names: HeaderName[]): Record<string, { $ref: string }> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
