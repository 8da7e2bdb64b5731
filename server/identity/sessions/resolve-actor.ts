import { GatewayError } from '../../core/errors/gateway-error';
import { isAllowedAddress, keyExpired, requireAllowedAddress } from '../../core/limits/key-rules';
import type { Runtime } from '../../core/runtime';
import type { Actor, KeyActor, SessionActor } from '../../core/trpc/actor';
import type { Credentials, RequestContext } from '../../core/trpc/context';
import { hashKey, isWellFormedKey, KEY_CHARS, KEY_PREFIX } from '../keys/key-format';
import type { ResolvedKey } from '../keys/resolve-keys';
import { hashSessionToken } from './session-token';
import { findSession, touchSession } from './store';

const SEND_BEARER = 'Send Authorization: Bearer <API key>, with the word Bearer before the key.';

/** Builds the actor of an authenticated key. */
export function keyActor(key: ResolvedKey, keyHash: string): KeyActor {
  const { keyId, accountId, originAccountId, accountType, prepaid, frozen } = key;
  const { userId, teamSlug } = key;
  const { restricted, application, rulesVersion, rules, windows } = key;
  return {
    kind: 'key',
    keyId,
    keyHash,
    accountId,
    originAccountId,
    accountType,
    prepaid,
    userId,
    teamSlug,
    accountFrozen: frozen,
    restricted,
    application,
    rulesVersion,
    rules,
    windows,
  };
}

/**
 * Returns the actor from the key cache. Only for operations in which the database checks the key
 * again, or which resolve it again before they refuse (`KeyContext.confirmActor`).
 */
export function getCachedActor({ credentials, runtime, clientIp }: RequestContext): KeyActor | null {
  const keyHash = getKeyHash(credentials);
  const key = keyHash === null ? undefined : runtime.keyCache.get(keyHash);
  return keyHash !== null && key && isCurrent(key, clientIp) ? keyActor(key, keyHash) : null;
}

/** Whether a cached key may be used; otherwise the database says why it may not, or that it may. */
function isCurrent({ previous, rules }: ResolvedKey, clientIp: string): boolean {
  // Only the database knows the end of the grace of a previous secret.
  if (previous) return false;
  return !rules || (!(rules.expiresAt && rules.expiresAt <= new Date()) && isAllowedAddress(rules, clientIp));
}

/** Returns the SHA-256 of the presented key in hex; null if there is none or it is malformed. */
function getKeyHash(credentials: Credentials): string | null {
  if (credentials.kind === 'grant') return credentials.keyHash;
  if (credentials.kind !== 'bearer' || !isWellFormedKey(credentials.token)) return null;
  return hashKey(credentials.token).toString('hex');
}

/**
 * Failed attempts are counted by `clientIp`, and `reply` gets a known key also if it is refused;
 * both optional where only a session can authenticate.
 */
type AuthContext = Pick<RequestContext, 'credentials' | 'runtime' | 'transport'> &
  Partial<Pick<RequestContext, 'clientIp' | 'reply' | 'session'>>;

/**
 * Authenticates a request. REST accepts keys, and a browser session only on routes that allow it;
 * tRPC accepts sessions only.
 * @throws GatewayError AUTH_REQUIRED without credentials; AUTH_FAILED if they are invalid or
 *   expired; IP_NOT_ALLOWED outside the networks of the key; RATE_LIMIT_EXCEEDED after too many
 *   wrong keys from the client's network
 */
export async function resolveActor(context: AuthContext, sessionAllowed: boolean): Promise<Actor> {
  const { credentials, runtime, transport } = context;
  switch (credentials.kind) {
    case 'none':
    case 'x402':
      throw transport === 'rest' ? new GatewayError('AUTH_REQUIRED') : notSignedIn();
    case 'payment':
    case 'malformed':
      throw new GatewayError('AUTH_FAILED', {
        message: 'The Authorization header must have the form: Bearer <API key>.',
        hint: SEND_BEARER,
      });
    case 'misplaced':
      throw misplacedKey(credentials);
    case 'grant':
    case 'bearer':
      return await resolveKeyActor(context, credentials);
    case 'session': {
      if (transport === 'rest' && !sessionAllowed) throw new GatewayError('AUTH_REQUIRED');
      if (!context.session) return await readSession(runtime, credentials.token);
      context.session.actor ??= readSession(runtime, credentials.token);
      return await context.session.actor;
    }
    default:
      return credentials satisfies never;
  }
}

/** The only place where a session becomes a person, so nothing else needs to ask for the code. */
async function readSession({ db }: Pick<Runtime, 'db'>, token: string): Promise<SessionActor> {
  const sessionId = hashSessionToken(token);
  const session = await findSession(db, sessionId);
  if (!session) throw notSignedIn();
  if (session.factorDue) throw factorDue();
  if (session.isIdle) await touchSession(db, sessionId);
  return {
    kind: 'session',
    userId: session.userId,
    accountId: session.accountId,
    accountType: 'personal',
    accountFrozen: session.frozenAt !== null,
    sessionId,
    verifiedEmail: session.verifiedEmail,
  };
}

/**
 * A cached key bypasses the limit on wrong keys, so an attacker on the same network cannot block
 * it.
 */
async function resolveKeyActor(
  { runtime, clientIp = '', reply }: AuthContext,
  credentials: Credentials & { kind: 'grant' | 'bearer' },
): Promise<KeyActor> {
  const { keys } = runtime.authFailures;
  const keyHash = getKeyHash(credentials);
  const guess = credentials.kind === 'grant' ? null : (keyHash ?? mistypedHash(credentials));
  if (guess !== null && !runtime.keyCache.get(guess)) keys.assertAllowed(clientIp);
  const key = keyHash === null ? null : await runtime.flush.resolveKey(keyHash);
  if (keyHash !== null && key && reply) reply.actor = keyActor(key, keyHash);
  if (keyHash !== null && key && !key.revoked) {
    runtime.keyCache.set(keyHash, key);
    if (key.expired) throw keyExpired();
    requireAllowedAddress(key.rules, clientIp);
    return keyActor(key, keyHash);
  }
  if (guess !== null) keys.count(clientIp, guess);
  if (keyHash === null) throw malformedKey(credentials);
  runtime.keyCache.delete(keyHash);
  throw new GatewayError('AUTH_FAILED');
}

/** Hashes a malformed API key, to count it as a failed attempt; null for any other credential. */
function mistypedHash(credentials: Credentials): string | null {
  const isKey = credentials.kind === 'bearer' && credentials.token.startsWith(KEY_PREFIX);
  return isKey ? hashKey(credentials.token).toString('hex') : null;
}

/** Names the place of a key that is not read there, and where to send it. */
function misplacedKey({ where, name }: Extract<Credentials, { kind: 'misplaced' }>): GatewayError {
  const hint = 'Send the key in the header Authorization: Bearer <API key> instead.';
  switch (where) {
    case 'header':
      return new GatewayError('AUTH_REQUIRED', {
        message: `The header ${name} is not read: an API key is expected in Authorization.`,
        hint,
      });
    case 'url':
      return new GatewayError('AUTH_REQUIRED', {
        message: `A key in the URL (${name}) is not read, and may have leaked: URLs are stored in logs and histories.`,
        hint: `${hint} Revoke the one in the URL first, with DELETE /v1/keys/{id} or in the dashboard under Keys, and use a new one.`,
      });
    case 'scheme':
      return new GatewayError('AUTH_FAILED', {
        message: `The Authorization header has a key ${name === '' ? 'without a scheme' : `with the scheme ${name}`}; the scheme must be Bearer.`,
        hint: SEND_BEARER,
      });
    default:
      return where satisfies never;
  }
}

/** Names what is wrong with the form of a key, which is public. Never repeats the key. */
function malformedKey(credentials: Credentials): GatewayError {
  const token = credentials.kind === 'bearer' ? credentials.token : '';
  if (token.startsWith('tg_oat_'))
    return new GatewayError('AUTH_FAILED', {
      message: 'This is an application’s access token, which is valid only at /mcp.',
      hint: 'Send an API key, or use /mcp.',
    });
  const message = token.startsWith(KEY_PREFIX)
    ? `The API key is cut off, masked or misspelt: a key has ${KEY_CHARS} characters, the last six of which are a checksum.`
    : `This is not an API key of this gateway: its keys begin with ${KEY_PREFIX}, without quotes or other characters before it. Is the variable with the key set?`;
  return new GatewayError('AUTH_FAILED', { message });
}

/** A hint for people: the usual one suggests an API key. */
function notSignedIn(): GatewayError {
  return new GatewayError('AUTH_REQUIRED', { message: 'You are not signed in.', hint: 'Sign in.' });
}

function factorDue(): GatewayError {
  return new GatewayError('AUTH_REQUIRED', {
    message: 'Two-step verification is not complete.',
    hint: 'Enter the code of your authenticator app at /sign-in/code.',
  });
}
