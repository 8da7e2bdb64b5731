/** Longer ones are no honest address of an application. */
export const MAX_REDIRECT_URI_LENGTH = 1024;

const LOOPBACK = new Set(['127.0.0.1', '[::1]', 'localhost']);
/** Schemes without a dot that are an application's own all the same: editors and chat applications have them registered. */
const APP_SCHEMES = new Set([
  'claude:',
  'cursor:',
  'vscode:',
  'vscode-insiders:',
  'vscodium:',
  'windsurf:',
  'zed:',
]);
/** As RFC 8252 section 7.1 wants an application's own: a domain name, backwards. */
const REVERSED_DOMAIN = /^[a-z][a-z0-9+-]*(\.[a-z0-9-]+)+:$/;
/** No spaces, controls, quotes, backslashes or anything beyond ASCII: a browser and we must read it alike. */
const PLAIN = /^[\x21\x23-\x26\x28-\x3b\x3d\x3f-\x5b\x5d\x5f\x61-\x7a\x7e]+$/;

/** Where an application may be sent back to. */
type Place = { kind: 'web'; host: string } | { kind: 'computer' } | { kind: 'app'; scheme: string };

/**
 * Why an address is none to send a code to; null where it is one: https, http to this computer itself (RFC 8252 section
 * 7.3), or a scheme of an application's own (7.1).
 */
export function redirectProblem(uri: string): string | null {
  if (uri.length > MAX_REDIRECT_URI_LENGTH)
    return `A redirect URI may have ${MAX_REDIRECT_URI_LENGTH} characters at most.`;
  if (!PLAIN.test(uri) || !URL.canParse(uri)) return 'A redirect URI must be a whole, plainly written URI.';
  if (uri.includes('#')) return 'A redirect URI must have no fragment.';
  const url = new URL(uri);
  if (url.username !== '' || url.password !== '') return 'A redirect URI must hold no user name.';
  // `https:a` is read as `https://a` by some and as a path by others.
  if (/^https?:(?!\/\/[^/?])/.test(uri)) return 'A redirect URI must name its host after two slashes.';
  if (url.protocol === 'https:') return null;
  if (url.protocol === 'http:')
    return LOOPBACK.has(url.hostname)
      ? null
      : 'A redirect URI with http must lead to 127.0.0.1, [::1] or localhost.';
  if (APP_SCHEMES.has(url.protocol) || REVERSED_DOMAIN.test(url.protocol)) return null;
  return 'A redirect URI must begin with https, http to the loopback address, or an application’s own scheme (com.example.app:).';
}

/**
 * Whether the address is one of those registered: character for character, but for the port of a loopback address, which
 * an application is given anew with each start (RFC 8252 section 7.3).
 */
export function isRegisteredRedirect(registered: readonly string[], presented: string): boolean {
  if (redirectProblem(presented) !== null) return false;
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

/** Where that is, for a person to judge. Takes what has been registered. */
export function placeOf(uri: string): Place {
  const url = new URL(uri);
  if (url.protocol === 'https:') return { kind: 'web', host: url.host };
  if (url.protocol === 'http:') return { kind: 'computer' };
  return { kind: 'app', scheme: url.protocol.slice(0, -1) };
}

/** The address with an answer in its query; what stood there stays (RFC 6749 section 4.1.2). */
export function withAnswer(uri: string, answer: Readonly<Record<string, string | undefined>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(answer)) if (value !== undefined) query.append(name, value);
  return `${uri}${uri.includes('?') ? (/[?&]$/.test(uri) ? '' : '&') : '?'}${query}`;
}
