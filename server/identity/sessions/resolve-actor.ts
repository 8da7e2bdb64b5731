import { GatewayError } from '../../core/errors/gateway-error';
import type { Actor, KeyActor } from '../../core/trpc/actor';
import type { Credentials, RequestContext } from '../../core/trpc/context';
import { findSession } from './store';
import { hashKey, isWellFormedKey, KEY_PREFIX } from '../keys/key-format';
import type { ResolvedKey } from '../keys/resolve-keys';
import { hashSessionToken } from './session-token';

/** The actor of a request that is made with this key. */
export function keyActor(key: ResolvedKey, keyHash: string): KeyActor {
  const { keyId, accountId, originAccountId, accountType, userId, frozen, restricted, application, windows } =
    key;
  return {
    kind: 'key',
    keyId,
    keyHash,
    accountId,
    originAccountId,
    accountType,
    userId,
    accountFrozen: frozen,
    restricted,
    application,
    windows,
  };
}

/**
 * The key as it was when it was last looked up. Only for work that has the database decide on the
 * key again, and says so with `reply.keyConfirmed`.
 */
export function recallActor({ credentials, runtime }: RequestContext): KeyActor | null {
  const keyHash = keyHashOf(credentials);
  const key = keyHash === null ? undefined : runtime.keyMemory.recall(keyHash);
  return keyHash !== null && key ? keyActor(key, keyHash) : null;
}

/**
 * The SHA-256 of the key that is presented, in hex; null where none is, or none that can be one.
 */
function keyHashOf(credentials: Credentials): string | null {
  if (credentials.kind === 'grant') return credentials.keyHash;
  if (credentials.kind !== 'bearer' || !isWellFormedKey(credentials.token)) return null;
  return hashKey(credentials.token).toString('hex');
}

/**
 * `clientIp` is by what wrong keys are counted: where only a session can come, it may be left out.
 */
type Asking = Pick<RequestContext, 'credentials' | 'runtime' | 'transport'> &
  Partial<Pick<RequestContext, 'clientIp'>>;

/**
 * Who asks. On REST only keys count, unless the route also takes a browser's session; on tRPC only
 * sessions.
 * @throws GatewayError AUTH_REQUIRED where nothing was presented, AUTH_FAILED where it does not
 *   hold, RATE_LIMIT_EXCEEDED where too many wrong keys came from the client's network
 */
export async function resolveActor(context: Asking, sessionAllowed: boolean): Promise<Actor> {
  const { credentials, runtime, transport } = context;
  switch (credentials.kind) {
    case 'none':
      throw transport === 'rest' ? new GatewayError('AUTH_REQUIRED') : notSignedIn();
    case 'payment':
    case 'malformed':
      throw new GatewayError('AUTH_FAILED', {
        message: 'The Authorization header is not of the form: Bearer <API key>.',
      });
    case 'grant':
    case 'bearer':
      return await resolveKeyActor(context, credentials);
    case 'session': {
      if (transport === 'rest' && !sessionAllowed) throw new GatewayError('AUTH_REQUIRED');
      const sessionId = hashSessionToken(credentials.token);
      const session = await findSession(runtime.db, sessionId);
      if (!session) throw notSignedIn();
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
    default:
      return credentials satisfies never;
  }
}

/**
 * A key that this process has seen to be right is looked up whatever else comes from its network.
 */
async function resolveKeyActor(
  { runtime, clientIp = '' }: Asking,
  credentials: Credentials & { kind: 'grant' | 'bearer' },
): Promise<KeyActor> {
  const { keys } = runtime.guesses;
  const keyHash = keyHashOf(credentials);
  const guess = credentials.kind === 'grant' ? null : (keyHash ?? mistypedHash(credentials));
  if (guess !== null && !runtime.keyMemory.recall(guess)) keys.refuseGuess(clientIp);
  const key = keyHash === null ? null : await runtime.flush.resolveKey(keyHash);
  if (keyHash !== null && key && !key.revoked) {
    runtime.keyMemory.remember(keyHash, key);
    return keyActor(key, keyHash);
  }
  if (guess !== null) keys.count(clientIp, guess);
  if (keyHash === null) throw malformedKey(credentials);
  runtime.keyMemory.forget(keyHash);
  throw new GatewayError('AUTH_FAILED');
}

/** Of what looks like a key and is none; null for anything else, which guesses no key. */
function mistypedHash(credentials: Credentials): string | null {
  const isKey = credentials.kind === 'bearer' && credentials.token.startsWith(KEY_PREFIX);
  return isKey ? hashKey(credentials.token).toString('hex') : null;
}

/** Applications are told where their tokens are good. */
function malformedKey(credentials: Credentials): GatewayError {
  const isToken = credentials.kind === 'bearer' && credentials.token.startsWith('tg_oat_');
  return isToken
    ? new GatewayError('AUTH_FAILED', {
        message: 'This is the access token of an application, which is good at /mcp only.',
        hint: 'Send an API key here, or ask at /mcp.',
      })
    : new GatewayError('AUTH_FAILED');
}

/** For a person: a key would not help them here. */
function notSignedIn(): GatewayError {
  return new GatewayError('AUTH_REQUIRED', { message: 'You are not signed in.', hint: 'Sign in.' });
}
