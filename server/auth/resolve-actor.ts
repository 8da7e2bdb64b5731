import { findSession } from '../accounts/store';
import { GatewayError } from '../errors/gateway-error';
import { hashKey, isWellFormedKey } from '../keys/key-format';
import type { ResolvedKey } from '../keys/resolve-keys';
import type { Credentials, RequestContext } from '../trpc/context';
import type { Actor, KeyActor } from './actor';
import { hashSessionToken } from './session-token';

function keyActor(key: ResolvedKey, keyHash: string): KeyActor {
  const { keyId, accountId, accountType, userId, windows } = key;
  return { kind: 'key', keyId, keyHash, accountId, accountType, userId, accountFrozen: key.frozen, windows };
}

/**
 * The key as it was when it was last looked up. Only for work that has the database decide on the key again, and says
 * so with `reply.keyConfirmed`.
 */
export function recallActor({ credentials, runtime }: RequestContext): KeyActor | null {
  const keyHash = keyHashOf(credentials);
  const key = keyHash === null ? undefined : runtime.keyMemory.recall(keyHash);
  return keyHash !== null && key ? keyActor(key, keyHash) : null;
}

/** The SHA-256 of the key that is presented, in hex; null where none is, or none that can be one. */
function keyHashOf(credentials: Credentials): string | null {
  if (credentials.kind === 'grant') return credentials.keyHash;
  if (credentials.kind !== 'bearer' || !isWellFormedKey(credentials.token)) return null;
  return hashKey(credentials.token).toString('hex');
}

/**
 * Who asks. On REST only keys count, unless the route also takes a browser's session; on tRPC only sessions.
 * @throws GatewayError AUTH_REQUIRED where nothing was presented, AUTH_FAILED where it does not hold
 */
export async function resolveActor(
  context: Pick<RequestContext, 'credentials' | 'runtime' | 'transport'>,
  sessionAllowed: boolean,
): Promise<Actor> {
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
    case 'bearer': {
      const keyHash = keyHashOf(credentials);
      if (keyHash === null) throw malformedKey(credentials);
      const key = await runtime.flush.resolveKey(keyHash);
      if (!key || key.revoked) {
        runtime.keyMemory.forget(keyHash);
        throw new GatewayError('AUTH_FAILED');
      }
      runtime.keyMemory.remember(keyHash, key);
      return keyActor(key, keyHash);
    }
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
      };
    }
    default:
      return credentials satisfies never;
  }
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
