/** Longer redirect URIs are refused. */
export const MAX_REDIRECT_URI_LENGTH = 1024;

const LOOPBACK = new Set(['127.0.0.1', '[::1]', 'localhost']);
/** Private-use schemes without a dot, registered by editors and chat applications. */
const APP_SCHEMES = new Set([
  'claude:',
  'cursor:',
  'vscode:',
  'vscode-insiders:',
  'vscodium:',
  'windsurf:',
  'zed:',
]);
/** A private-use scheme as RFC 8252 section 7.1 requires: a reversed domain name. */
const REVERSED_DOMAIN = /^[a-z][a-z0-9+-]*(\.[a-z0-9-]+)+:$/;
/**
 * Printable ASCII without spaces, quotes and backslashes, so that browsers and this server parse it
 * alike.
 */
const PLAIN = /^[\x21\x23-\x26\x28-\x3b\x3d\x3f-\x5b\x5d\x5f\x61-\x7a\x7e]+$/;

/** The target of a redirect URI. */
type Place = { kind: 'web'; host: string } | { kind: 'computer' } | { kind: 'app'; scheme: string };

/**
 * Returns why a redirect URI is not allowed; null if it is. Allowed: https, http to a loopback
 * address (RFC 8252 section 7.3), and private-use schemes (7.1).
 */
export function findRedirectProblem(uri: string): string | null {
  if (uri.length > MAX_REDIRECT_URI_LENGTH)
    return `A redirect URI may have at most ${MAX_REDIRECT_URI_LENGTH} characters.`;
  if (!PLAIN.test(uri) || !URL.canParse(uri))
    return 'A redirect URI must be an absolute URI in ASCII, without spaces, quotes or backslashes.';
  if (uri.includes('#')) return 'A redirect URI must not have a fragment.';
  const url = new URL(uri);
  if (url.username !== '' || url.password !== '')
    return 'A redirect URI must not contain a user name or password.';
  // Some parsers read `https:a` as `https://a`, others as a path.
  if (/^https?:(?!\/\/[^/?])/.test(uri))
    return 'A redirect URI with http or https must have a host after two slashes.';
  if (url.protocol === 'https:') return null;
  if (url.protocol === 'http:')
    return LOOPBACK.has(url.hostname)
      ? null
      : 'A redirect URI with http must point to 127.0.0.1, [::1] or localhost.';
  if (APP_SCHEMES.has(url.protocol) || REVERSED_DOMAIN.test(url.protocol)) return null;
  return 'A redirect URI must use https, http to a loopback address, or a private-use scheme such as com.example.app:.';
}

/**
 * Whether a redirect URI is registered: an exact match, except for the port of a loopback address,
 * which changes with each start of the application (RFC 8252 section 7.3).
 */
export function isRegisteredRedirect(registered: readonly string[], presented: string): boolean {
  if (findRedirectProblem(presented) !== null) return false;
  return registered.some((uri) => uri === presented || isSameButPort(uri, presented));
}

function isSameButPort(registered: string, presented: string): boolean {
  const one = withoutPort(registered);
  return one !== null && one === withoutPort(presented);
}

function withoutPort(uri: string): string | null {
  const match = /^http:\/\/(127\.0\.0\.1|\[::1\]|localhost)(?::\d{1,5})?([/?].*)?$/.exec(uri);
  return match ? `${match[1]} ${match[2] ?? '/'}` : null;
}

/** Describes where a registered redirect URI leads, for the consent page. */
export function toPlace(uri: string): Place {
  const url = new URL(uri);
  if (url.protocol === 'https:') return { kind: 'web', host: url.host };
  if (url.protocol === 'http:') return { kind: 'computer' };
  return { kind: 'app', scheme: url.protocol.slice(0, -1) };
}

/**
 * Appends response fields to a redirect URI's query and keeps what is there (RFC 6749 section
 * 4.1.2).
 */
export function appendResponse(uri: string, answer: Readonly<Record<string, string | undefined>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(answer)) if (value !== undefined) query.append(name, value);
  return `${uri}${uri.includes('?') ? (/[?&]$/.test(uri) ? '' : '&') : '?'}${query}`;
}
