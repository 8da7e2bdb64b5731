import type { IncomingMessage } from 'node:http';

/**
 * What answers a path: the dispatcher (`api`), the fake Stripe, which is behind Next but sets its
 * own headers, or Next (`page`).
 */
type TargetKind = 'api' | 'fakeStripe' | 'page';

/** The target of a request, parsed once. All routing decisions use it. */
export interface RequestTarget {
  /** Path and query; replaces `req.url`. */
  readonly url: string;
  readonly path: string;
  readonly kind: TargetKind;
}

/** Why a request is rejected before routing. */
export interface Refusal {
  readonly status: 400 | 408 | 414 | 431;
  readonly message: string;
  readonly hint: string;
}

const MAX_PATH_BYTES = 2_048;
/** Next compares all parameters pairwise: a few thousand would block the thread for seconds. */
const MAX_PARAMETERS = 100;
const MAX_QUERY_BYTES = 4_096;
/** A search of 500 Chinese characters takes 4,500 bytes in a query. */
const MAX_API_QUERY_BYTES = 8_192;
const MAX_HEADERS = 100;
const MAX_COOKIES = 100;
const MAX_COOKIE_BYTES = 8_192;

/** Matches almost all paths: plain segments, none empty or a dot segment, optional final slash. */
const PLAIN = /^\/(?:(?!\.\.?(?:\/|$))[\w.~!$&'()*+,;=:@-]+(?:\/(?=.)|\/?$))*$/;
/** Rejected, so that the front and Next cannot read different paths. */
const AMBIGUOUS = /\/\/|[\\#]/;
const DOT_SEGMENT = /(?:^|\/)\.\.?(?:\/|$)/;
const ENCODED_SLASH = /%(?:2f|5c)/i;
const ENCODED_TWICE = /%25[0-9a-f]{2}/i;
/** Bytes other than visible ASCII, which must be percent-encoded. */
const INVISIBLE = /[^\x21-\x7e]/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
const CONTROL = /[\u0000-\u001f\u007f]/;
const UNRESERVED = /^[\w.~-]$/;
/** Any version: the API answers for unknown ones, not a page. */
const API =
  /^\/(?:(?:api\/)?v\d+(?:\/|$)|files\/|\.well-known\/oauth-|(?:\.well-known\/jwks\.json|openapi\.json|llms-full\.txt|mcp|healthz|readyz|metrics|oauth\/(?:register|token|revoke)|dashboard\/assets\/upload)$)/;
const FAKE_STRIPE = /^\/fake-stripe(?:\/|$)/;

const INVALID_PATH: Refusal = {
  status: 400,
  message:
    'The path is not valid: it has a dot segment, an empty segment, an encoded slash or dot segment, a backslash, a fragment, a control character or an invalid escape.',
  hint: 'Send the path in its normal form, each segment percent-encoded once.',
};
const NO_PATH: Refusal = {
  status: 400,
  message: 'The request target must be a path or an http URL.',
  hint: 'Send a path that starts with a slash.',
};
const tooLong = (message: string): Refusal => ({
  status: 414,
  message,
  hint: 'Send a shorter URL; long values belong in the body.',
});

/**
 * Parses a request target. An absolute URL is accepted (RFC 9112 section 3.2.2), but its host is
 * ignored.
 * @param raw `req.url` from Node
 */
export function parseTarget(raw: string): RequestTarget | Refusal {
  const url = raw[0] === '/' ? raw : toOriginForm(raw);
  if (url === null) return NO_PATH;
  const at = url.indexOf('?');
  const sent = at === -1 ? url : url.slice(0, at);
  if (sent.length > MAX_PATH_BYTES) return tooLong(`The path exceeds ${MAX_PATH_BYTES} bytes.`);
  const plain = PLAIN.test(sent);
  const path = plain ? sent : normalize(sent);
  if (path === null) return INVALID_PATH;
  const kind = getTargetKind(path);
  // The dispatcher decodes once, and file names may contain an escape. Next may decode twice.
  if (!plain && kind !== 'api' && ENCODED_TWICE.test(path)) return INVALID_PATH;
  if (at === -1) return { url: path, path, kind };
  const refusal = refuseQuery(url.slice(at + 1), kind);
  return refusal ?? { url: plain ? url : path + url.slice(at), path, kind };
}

/**
 * Decodes escapes of unreserved characters, as Next does (RFC 3986 section 6.2.2.2).
 * @returns null if two parsers could read it as different paths
 */
function normalize(path: string): string | null {
  if (INVISIBLE.test(path) || AMBIGUOUS.test(path)) return null;
  let decoded: string;
  try {
    decoded = decodeURIComponent(path);
  } catch {
    return null;
  }
  if (CONTROL.test(decoded) || DOT_SEGMENT.test(decoded) || ENCODED_SLASH.test(path)) return null;
  return path.replace(/%[0-9a-f]{2}/gi, (octet) => {
    const character = String.fromCharCode(Number.parseInt(octet.slice(1), 16));
    return UNRESERVED.test(character) ? character : octet.toUpperCase();
  });
}

function getTargetKind(path: string): TargetKind {
  if (API.test(path)) return 'api';
  return FAKE_STRIPE.test(path) ? 'fakeStripe' : 'page';
}

/** Returns path and query of an absolute URL. */
function toOriginForm(url: string): string | null {
  if (!/^https?:\/\//i.test(url)) return null;
  const rest = url.replace(/^https?:\/\/[^/?#\\]*/i, '');
  return rest[0] === '/' ? rest : `/${rest}`;
}

function refuseQuery(query: string, kind: TargetKind): Refusal | null {
  if (query.includes('#')) return INVALID_PATH;
  const limit = kind === 'api' ? MAX_API_QUERY_BYTES : MAX_QUERY_BYTES;
  if (query.length > limit) return tooLong(`The query exceeds ${limit} bytes.`);
  let parameters = 1;
  for (let at = query.indexOf('&'); at !== -1; at = query.indexOf('&', at + 1)) parameters += 1;
  if (parameters <= MAX_PARAMETERS) return null;
  return {
    status: 400,
    message: `The query has more than ${MAX_PARAMETERS} parameters.`,
    hint: 'Send each parameter once, and only parameters of the route.',
  };
}

/** Rejects too many headers or cookies before they are parsed. */
export function refuseHeaders({ rawHeaders, headers }: IncomingMessage): Refusal | null {
  const hint = 'Send fewer and smaller headers.';
  if (rawHeaders.length > MAX_HEADERS * 2)
    return { status: 431, message: `The request has more than ${MAX_HEADERS} headers.`, hint };
  const { cookie } = headers;
  if (cookie === undefined) return null;
  if (cookie.length <= MAX_COOKIE_BYTES && cookie.split(';').length <= MAX_COOKIES) return null;
  const message = `The request exceeds ${MAX_COOKIES} cookies or ${MAX_COOKIE_BYTES} bytes of cookies.`;
  return { status: 431, message, hint: 'Delete the cookies of this site in your browser.' };
}

/** HTTP/1.1 requires exactly one (RFC 9112 section 3.2): a proxy might use the other of two. */
export function hasOneHost({ rawHeaders, httpVersion }: IncomingMessage): boolean {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  if (httpVersion === '1.0') return hosts <= 1;
  return hosts === 1 && httpVersion === '1.1';
}
