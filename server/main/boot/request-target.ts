import type { IncomingMessage } from 'node:http';

/**
 * Who answers a path: the dispatcher (`api`), the fake Stripe, which is behind Next but has headers
 * of its own, or Next (`page`).
 */
type TargetKind = 'api' | 'standin' | 'page';

/** The target of a request, parsed once: every decision of the front is made on it. */
export interface RequestTarget {
  /** Path and query: what `req.url` is from here on. */
  readonly url: string;
  readonly path: string;
  readonly kind: TargetKind;
}

/** Why a request is refused before anybody answers it. */
export interface Refusal {
  readonly status: 400 | 414 | 431;
  readonly message: string;
  readonly hint: string;
}

const MAX_PATH_BYTES = 2_048;
/**
 * Next compares each parameter with all others: a few thousand would block the thread for seconds.
 */
const MAX_PARAMETERS = 100;
const MAX_QUERY_BYTES = 4_096;
/** A search of 500 characters of Chinese is 4,500 bytes in a query. */
const MAX_API_QUERY_BYTES = 8_192;
const MAX_HEADERS = 100;
const MAX_COOKIES = 100;
const MAX_COOKIE_BYTES = 8_192;

/**
 * Almost all paths: segments of plain characters, none empty, none of dots alone, perhaps a slash
 * at the end.
 */
const PLAIN = /^\/(?:(?!\.\.?(?:\/|$))[\w.~!$&'()*+,;=:@-]+(?:\/(?=.)|\/?$))*$/;
/**
 * The front and Next must not read one path as two: what URL parsers remove, merge or turn round is
 * refused.
 */
const AMBIGUOUS = /\/\/|[\\#]/;
const DOT_SEGMENT = /(?:^|\/)\.\.?(?:\/|$)/;
const ENCODED_SLASH = /%(?:2f|5c)/i;
const ENCODED_TWICE = /%25[0-9a-f]{2}/i;
/** Bytes that are no visible ASCII, as Node hands them over: they belong percent-encoded. */
const INVISIBLE = /[^\x21-\x7e]/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
const CONTROL = /[\u0000-\u001f\u007f]/;
const UNRESERVED = /^[\w.~-]$/;
/** Any version: an unknown one is refused as the API refuses, not with a page. */
const API =
  /^\/(?:v\d+(?:\/|$)|files\/|\.well-known\/oauth-|(?:openapi\.json|mcp|healthz|readyz|metrics|oauth\/(?:register|token|revoke)|dashboard\/assets\/upload)$)/;
const STANDIN = /^\/stripe-standin(?:\/|$)/;

const INVALID_PATH: Refusal = {
  status: 400,
  message:
    'The path is not valid: it has a dot segment, an empty segment, an encoded slash or dot segment, a backslash, a fragment, a control character or an invalid escape.',
  hint: 'Send the path in its normal form, each segment percent-encoded once.',
};
const NO_PATH: Refusal = {
  status: 400,
  message: 'The target of the request must be a path or an http address.',
  hint: 'Send a path that begins with a slash.',
};
const tooLong = (message: string): Refusal => ({
  status: 414,
  message,
  hint: 'Send a shorter address; long values belong in a body.',
});

/**
 * The one reading of a target. The absolute form is a path too (RFC 9112 section 3.2.2); its host
 * is not believed.
 * @param raw `req.url` as Node has it
 */
export function parseTarget(raw: string): RequestTarget | Refusal {
  const url = raw[0] === '/' ? raw : originForm(raw);
  if (url === null) return NO_PATH;
  const at = url.indexOf('?');
  const sent = at === -1 ? url : url.slice(0, at);
  if (sent.length > MAX_PATH_BYTES) return tooLong(`The path may have ${MAX_PATH_BYTES} bytes at most.`);
  const plain = PLAIN.test(sent);
  const path = plain ? sent : normalize(sent);
  if (path === null) return INVALID_PATH;
  const kind = kindOf(path);
  // The dispatcher decodes once, and a file's name may hold an escape; of what Next does we are not
  // so sure.
  if (!plain && kind !== 'api' && ENCODED_TWICE.test(path)) return INVALID_PATH;
  if (at === -1) return { url: path, path, kind };
  const refusal = refuseQuery(url.slice(at + 1), kind);
  return refusal ?? { url: plain ? url : path + url.slice(at), path, kind };
}

/**
 * Escapes of characters that need none become those characters (RFC 3986 section 6.2.2.2): Next
 * reads them so.
 * @returns null where two parsers could read two paths in it
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

function kindOf(path: string): TargetKind {
  if (API.test(path)) return 'api';
  return STANDIN.test(path) ? 'standin' : 'page';
}

/** Path and query of an absolute-form target. */
function originForm(url: string): string | null {
  if (!/^https?:\/\//i.test(url)) return null;
  const rest = url.replace(/^https?:\/\/[^/?#\\]*/i, '');
  return rest[0] === '/' ? rest : `/${rest}`;
}

function refuseQuery(query: string, kind: TargetKind): Refusal | null {
  if (query.includes('#')) return INVALID_PATH;
  const limit = kind === 'api' ? MAX_API_QUERY_BYTES : MAX_QUERY_BYTES;
  if (query.length > limit) return tooLong(`The query may have ${limit} bytes at most.`);
  let parameters = 1;
  for (let at = query.indexOf('&'); at !== -1; at = query.indexOf('&', at + 1)) parameters += 1;
  if (parameters <= MAX_PARAMETERS) return null;
  return {
    status: 400,
    message: `The query may have ${MAX_PARAMETERS} parameters at most.`,
    hint: 'Send each parameter once, and only those that the route knows.',
  };
}

/** Too many headers or cookies are refused before anybody parses them. */
export function refuseHeaders({ rawHeaders, headers }: IncomingMessage): Refusal | null {
  const hint = 'Send fewer and smaller headers.';
  if (rawHeaders.length > MAX_HEADERS * 2)
    return { status: 431, message: `A request may have ${MAX_HEADERS} headers at most.`, hint };
  const { cookie } = headers;
  if (cookie === undefined) return null;
  if (cookie.length <= MAX_COOKIE_BYTES && cookie.split(';').length <= MAX_COOKIES) return null;
  const message = `A request may have ${MAX_COOKIES} cookies of ${MAX_COOKIE_BYTES} bytes at most.`;
  return { status: 431, message, hint: 'Delete the cookies of this site in your browser.' };
}

/**
 * HTTP/1.1 has exactly one (RFC 9112 section 3.2): with two, a proxy and we may believe different
 * ones.
 */
export function hasOneHost({ rawHeaders, httpVersion }: IncomingMessage): boolean {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  if (httpVersion === '1.0') return hosts <= 1;
  return hosts === 1 && httpVersion === '1.1';
}
