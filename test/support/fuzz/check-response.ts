import { ERRORS, type ErrorCode } from '@/server/core/errors/catalogue';
import { readEvents } from '../read-events';
import type { Operation, ServedDocument } from './document';
import type { Received, SentRequest } from './send';

/** Must not occur in a response: stack traces, paths, SQL, validator output, connection strings. */
export const LEAKS: readonly RegExp[] = [
  /\n?\s+at .{1,200}:\d+:\d+/,
  /node_modules|webpack-internal|file:\/\/\//,
  /\.(ts|js|mjs):\d+/,
  /postgres(ql)?:\/\//i,
  /PostgresError|DrizzleQueryError|Failed query|ZodError|TRPCError|SyntaxError|TypeError|RangeError|ReferenceError/,
  /"(issues|stack|severity|routine|errno|syscall)":/,
  // The name of a procedure such as keys.update is no statement, nor is a field named "from".
  /\bselect\b.{0,80}\bfrom [\\"]*\w|\binsert into [\\"]*\w|\bupdate [\\"]*\w+[\\"]* set\b|\bdelete from [\\"]*\w/i,
  /invalid byte sequence|violates .* constraint|relation "|column "|syntax error at/i,
];

/** Sent with every response of a limited route; with a 401 only if a provider key was missing. */
const RATE_LIMIT = [
  'ratelimit-policy',
  'ratelimit',
  'ratelimit-limit',
  'ratelimit-remaining',
  'ratelimit-reset',
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
];
const LIMITED = new Set(['POST /v1/tools/call', 'POST /v1/tools/batch']);
const POLICY = /^"[a-z-]+";q=\d+;w=\d+(, "[a-z-]+";q=\d+;w=\d+)*$/;
const STATE = /^"[a-z-]+";r=\d+;t=\d+(, "[a-z-]+";r=\d+;t=\d+)*$/;
/** Statuses of requests that match no operation; the contract allows them on every path. */
const OF_NO_OPERATION = new Set([404, 405]);

/** Lists the faults of a response to a documented operation. */
export function findFaults(
  document: ServedDocument,
  operation: Operation,
  sent: SentRequest,
  answer: Received,
): string[] {
  const { status, headers } = answer;
  const faults = [...findCommonFaults(answer), ...findLimitFaults(operation, sent, answer)];
  if (sent.method === 'OPTIONS') return status === 204 ? faults : [...faults, 'OPTIONS is not 204'];
  // HEAD is GET without its body, also on a path that the document knows by another method.
  if (sent.method === 'HEAD')
    return [
      ...faults,
      ...(status < 500 ? [] : [`${status} is a server error`]),
      ...(answer.text === '' ? [] : ['HEAD has a body']),
    ];
  const known = operation.statuses.has(status);
  if (!known && !OF_NO_OPERATION.has(status)) faults.push(`${status} is not documented`);
  if (status >= 500 && !(status === 502 && known)) faults.push(`${status} is a server error`);
  if (status === 304) return faults;
  const media = (headers['content-type'] ?? '').split(';')[0] as string;
  if (status >= 400) return [...faults, ...findRefusalFaults(document, answer, media)];
  if (headers['cache-control'] === undefined) faults.push('Cache-Control is missing');
  if (operation.needsKey && !headers['cache-control']?.includes('no-store'))
    faults.push('a private response is cacheable');
  if (status === 204) return answer.text === '' ? faults : [...faults, '204 has a body'];
  return [...faults, ...findBodyFaults(operation, answer, media)];
}

/** Lists faults that apply to any response of any endpoint. */
export function findCommonFaults({ status, headers, text }: Received): string[] {
  const faults: string[] = [];
  if (!headers['x-request-id']) faults.push('X-Request-Id is missing');
  if (headers['x-content-type-options'] !== 'nosniff') faults.push('X-Content-Type-Options is not nosniff');
  if (headers['x-powered-by'] !== undefined) faults.push('X-Powered-By is sent');
  if (status >= 400 && headers['cache-control'] !== 'no-store') faults.push('an error is cacheable');
  if (status === 405 && !headers.allow) faults.push('405 without Allow');
  if (status === 401 && !/^(Bearer|Payment|Basic)\b/.test(headers['www-authenticate'] ?? ''))
    faults.push('401 without a challenge');
  if ((status === 429 || status === 503) && !/^\d+$/.test(headers['retry-after'] ?? ''))
    faults.push(`${status} without an integer Retry-After`);
  if (status >= 400) faults.push(...findLeaks(text));
  return faults;
}

export function findLeaks(text: string): string[] {
  return LEAKS.filter((leak) => leak.test(text)).map((leak) => `leaks ${leak}`);
}

function findLimitFaults(
  operation: Operation,
  sent: SentRequest,
  { status, headers, text }: Received,
): string[] {
  const faults: string[] = [];
  const present = RATE_LIMIT.filter((name) => headers[name] !== undefined);
  const says = LIMITED.has(operation.id) && sent.method === 'POST';
  const mute = status === 401 && !text.includes('MISSING_CREDENTIALS');
  if (says && !mute && present.length < RATE_LIMIT.length) faults.push(`${status} lacks rate limit headers`);
  if (operation.statuses.has(304) && operation.id !== 'GET /v1/assets/{assetId}' && present.length > 0)
    faults.push('an unlimited route sends rate limit headers');
  if (headers['ratelimit-policy'] && !POLICY.test(headers['ratelimit-policy']))
    faults.push('RateLimit-Policy is malformed');
  if (headers.ratelimit && !STATE.test(headers.ratelimit)) faults.push('RateLimit is malformed');
  for (const name of present.slice(2))
    if (!/^\d{1,7}$/.test(headers[name] ?? ''))
      faults.push(`${name} is not an integer of at most seven digits`);
  return faults;
}

/** Checks an error response: a known code with its status and type, or a payment problem. */
export function findRefusalFaults(
  document: ServedDocument,
  { status, headers, text }: Received,
  media: string,
): string[] {
  const body = parse(text);
  if (media === 'application/problem+json') return document.checkAgainstSchema('PaymentProblem', body);
  if (media !== 'application/json') return [`${status} is ${media || 'nothing'}, not JSON`];
  const faults = document.checkAgainstSchema('Error', body);
  const error = (
    body as { error?: { code?: string; type?: string; request_id?: string; retry_after?: number } }
  )?.error;
  const entry = Object.hasOwn(ERRORS, error?.code ?? '') ? ERRORS[error?.code as ErrorCode] : undefined;
  if (!entry) return [...faults, `${error?.code} is not in the catalogue`];
  if (entry.status !== status) faults.push(`${error?.code} was sent with status ${status}`);
  if (entry.type !== error?.type) faults.push(`${error?.code} has the wrong type ${error?.type}`);
  if (error?.request_id !== headers['x-request-id']) faults.push('request_id differs from X-Request-Id');
  if (error?.retry_after !== undefined && String(error.retry_after) !== headers['retry-after'])
    faults.push('retry_after differs from Retry-After');
  return faults;
}

function findBodyFaults(operation: Operation, { status, text }: Received, media: string): string[] {
  if (media === 'text/event-stream') return findEventFaults(text);
  const isJson = media.endsWith('json');
  const found = operation.checkBody(status, media, isJson ? parse(text) : text);
  return found ?? [`${status} is ${media || 'nothing'}, which is not documented`];
}

/** A stream starts with `started` and ends with exactly one `result` or `error`. */
function findEventFaults(text: string): string[] {
  const names = readEvents(text).map(({ event }) => event);
  const ends = names.filter((name) => name === 'result' || name === 'error');
  if (names[0] !== 'started') return ['the stream does not start with `started`'];
  return ends.length === 1 && names.at(-1) === ends[0]
    ? []
    : [`the stream has the events ${names.join(', ')}`];
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
