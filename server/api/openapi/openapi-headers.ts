import { CALL_WINDOWS } from '../../core/limits/limits';
import { callRateHeaders } from '../../core/limits/rate-headers';
import { readSettings } from '../../platform/settings/settings';

const text = (description: string, example: string) => ({ description, schema: { type: 'string' }, example });
const integer = (description: string, example: number) => ({
  description,
  schema: { type: 'integer', minimum: 0 },
  example,
});

/** The rate-limit headers of a key's first call, with the default settings. */
const FIRST_CALL = callRateHeaders(
  CALL_WINDOWS.map(({ seconds }) => ({ used: 1, resetSeconds: seconds })),
  readSettings({ NODE_ENV: 'test' }).quotas,
);
const rateText = (name: string, description: string) => text(description, FIRST_CALL[name] ?? '');
const rateInteger = (name: string, description: string) => integer(description, Number(FIRST_CALL[name]));

/** Response headers that the document describes. */
export const RESPONSE_HEADERS = {
  'X-Request-Id': text(
    'Your X-Request-Id, or a generated one; quote it when you ask for help.',
    'req_01kp9vx3zq8h4m2n6r7s5t0w',
  ),
  ETag: text('Send it back in If-None-Match to get 304 if nothing has changed.', '"q3b7…"'),
  'Accept-Ranges': text('Byte ranges are supported.', 'bytes'),
  'Content-Range': text('The returned bytes and the total size.', 'bytes 100-199/70000'),
  'Content-Disposition': text(
    'The name of the file (RFC 6266).',
    'attachment; filename="report.pdf"; filename*=UTF-8\'\'report.pdf',
  ),
  'WWW-Authenticate': text('The scheme to use (RFC 6750).', 'Bearer realm="gateway"'),
  'Retry-After': integer('Seconds to wait, as an integer.', 37),
  Location: text('URL of the job: the same as poll_url.', 'http://localhost:3000/v1/jobs/job_01kp9vx3zq…'),
  'Idempotent-Replayed': text(
    'true if this is the stored response to an earlier request with the Idempotency-Key.',
    'true',
  ),
  'Preference-Applied': text('The granted preferences of the Prefer header.', 'wait=10, receipt'),
  'Gateway-Receipt': text(
    'With Prefer: receipt, of a call that succeeded: a compact JWS, also in `receipt`.',
    'eyJhbGciOiJFZERTQSIsImtpZCI6…',
  ),
  'RateLimit-Policy': rateText('RateLimit-Policy', 'The quotas, as a structured field.'),
  RateLimit: rateText('RateLimit', 'The remaining calls of each quota.'),
  'RateLimit-Limit': rateInteger('RateLimit-Limit', 'The quota with the fewest calls left.'),
  'RateLimit-Remaining': rateInteger('RateLimit-Remaining', 'Calls left in that quota.'),
  'RateLimit-Reset': rateInteger('RateLimit-Reset', 'Seconds until that quota resets.'),
  'X-RateLimit-Limit': rateInteger('X-RateLimit-Limit', 'The same as RateLimit-Limit.'),
  'X-RateLimit-Remaining': rateInteger('X-RateLimit-Remaining', 'The same as RateLimit-Remaining.'),
  'X-RateLimit-Reset': rateInteger('X-RateLimit-Reset', 'The same as RateLimit-Reset.'),
  Deprecation: text('Only if deprecated: since when (RFC 9745).', '@1796083200'),
  Sunset: text('Only if it will stop: the earliest date (RFC 8594).', 'Wed, 31 Mar 2027 23:59:59 GMT'),
  Link: text(
    'Only if deprecated: its documentation.',
    '<http://localhost:3000/docs/versioning>; rel="deprecation"; type="text/html"',
  ),
};

type HeaderName = keyof typeof RESPONSE_HEADERS;

/** Sent with every response that counts towards a quota. */
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

/** Sent only with responses about something deprecated; Sunset only if a date is set. */
export const DEPRECATION_HEADERS = ['Deprecation', 'Sunset', 'Link'] as const satisfies readonly HeaderName[];

/** References to response headers. */
export function headerRefs(...names: HeaderName[]): Record<string, { $ref: string }> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
