import type { HttpRequest } from '../../core/http/message';
import type { Credentials } from '../../core/trpc/context';
import { KEY_PREFIX } from '../../identity/keys/key-format';

type Misplaced = Extract<Credentials, { kind: 'misplaced' }>;

/** Where other APIs expect a key. */
const HEADERS = ['x-api-key', 'api-key', 'apikey', 'x-auth-token', 'x-access-token'];
const PARAMETERS = ['api_key', 'apikey', 'api-key', 'access_token', 'key', 'token'];
/** Names that also have other meanings: only a value that looks like a key counts. */
const AMBIGUOUS = new Set(['key', 'token']);

/**
 * Finds a key in a place where the gateway does not read it, for a request without Authorization.
 * @param onlyOurs ignores keys of another form: a proxy may require one for itself
 */
export function findMisplacedKey(
  request: Pick<HttpRequest, 'header' | 'target'>,
  onlyOurs = false,
): Misplaced | null {
  for (const name of HEADERS) {
    const value = request.header(name);
    if (value && (!onlyOurs || value.startsWith(KEY_PREFIX)))
      return { kind: 'misplaced', where: 'header', name };
  }
  const at = request.target.indexOf('?');
  if (at === -1) return null;
  const query = new URLSearchParams(request.target.slice(at + 1));
  for (const name of PARAMETERS) {
    const value = query.get(name);
    if (value && ((!onlyOurs && !AMBIGUOUS.has(name)) || value.startsWith(KEY_PREFIX)))
      return { kind: 'misplaced', where: 'url', name };
  }
  return null;
}

/** Reads an Authorization header that has a key of ours without the scheme, or with another one. */
export function findUnmarkedKey(authorization: string): Misplaced | null {
  const found = /^(?:([A-Za-z-]{1,20})[ :=]+)?tg_live_\S*$/.exec(authorization.trim());
  return found && { kind: 'misplaced', where: 'scheme', name: found[1] ?? '' };
}
