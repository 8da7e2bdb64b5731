import type { Executor } from '@/db/client';
import { GatewayError } from '../../core/errors/gateway-error';
import { takeFromWindow } from '../../core/limits/store';
import type { Runtime } from '../../core/runtime';
import { endGrant } from './end-grant';
import type { IssuedTokens } from './exchange-code';
import { ACCESS_SECONDS, REFRESH_SECONDS } from './grant-rules';
import { OAuthError } from './oauth-error';
import { deriveSuccessors, hashToken, hasTokenFormat, newSeed } from './oauth-token';
import {
  type ClientRow,
  findToken,
  findTokenGrant,
  insertTokens,
  lockGrant,
  markTokenUsed,
  touchClient,
} from './store';

/** A retry within this time gets the same tokens again. */
const GRACE_SECONDS = 30;
/**
 * Per grant. Access tokens last an hour, so more refreshes mean a client that does not store them
 * or runs in many processes.
 */
const REFRESHES_PER_HOUR = 60;
const HOUR_SECONDS = 3600;

/**
 * Exchanges a refresh token, which is valid once (RFC 9700 section 4.14.2), for the next pair. A
 * reused token has leaked, so its grant ends. Exception: within GRACE_SECONDS, while its successor
 * is unused, the same pair is returned, because the response may have been lost or two processes
 * may have refreshed at once.
 * @throws OAuthError invalid_grant; GatewayError RATE_LIMIT_EXCEEDED
 */
export async function refreshTokens(
  { db }: Pick<Runtime, 'db'>,
  client: ClientRow,
  refreshToken: string,
): Promise<IssuedTokens> {
  if (!hasTokenFormat('refresh', refreshToken)) throw badToken();
  const found = await findTokenGrant(db, client.id, hashToken(refreshToken));
  if (found?.kind !== 'refresh') throw badToken();
  await consumeRefreshQuota(db, found.grantId);
  await touchClient(db, client.id);
  // Throw only after the commit: an error inside would roll back the end of the grant.
  const tokens = await db.transaction((tx) => rotateTokens(tx, client, found.grantId, refreshToken));
  if (!tokens) throw badToken();
  return tokens;
}

async function rotateTokens(
  tx: Executor,
  client: ClientRow,
  grantId: string,
  refreshToken: string,
): Promise<IssuedTokens | null> {
  const grant = await lockGrant(tx, client.id, grantId);
  if (!grant) return null;
  const actor = `client:${client.id}`;
  const { userId } = grant;
  if (grant.keyRevoked) {
    await endGrant(tx, { userId, grantId }, { actor, action: 'oauth.revoke' });
    return null;
  }
  // The token is not used up: it works again once the account is unfrozen.
  if (grant.accountFrozen)
    throw new OAuthError(
      'invalid_grant',
      'The account is frozen: its owner must ask the operator of this gateway.',
    );
  const tokenHash = hashToken(refreshToken);
  const token = await findToken(tx, { grantId, tokenHash, kind: 'refresh' }, GRACE_SECONDS);
  if (!token || token.secondsLeft <= 0) return null;
  if (!token.usedAt) {
    const seed = newSeed();
    const pair = deriveSuccessors(refreshToken, seed);
    await markTokenUsed(tx, { grantId, tokenHash, seed });
    await insertTokens(tx, grantId, pair, { accessSeconds: ACCESS_SECONDS, refreshSeconds: REFRESH_SECONDS });
    return { ...pair, accessSeconds: ACCESS_SECONDS };
  }
  const again =
    token.usedJustNow && token.seed ? await replayTokens(tx, grantId, refreshToken, token.seed) : null;
  if (!again) await endGrant(tx, { userId, grantId }, { actor, action: 'oauth.reuse' });
  return again;
}

/** Returns the pair that the token was exchanged for; null once any of it was used or revoked. */
async function replayTokens(
  tx: Executor,
  grantId: string,
  refreshToken: string,
  seed: Buffer,
): Promise<IssuedTokens | null> {
  const pair = deriveSuccessors(refreshToken, seed);
  const refresh = await findToken(tx, { grantId, tokenHash: hashToken(pair.refresh), kind: 'refresh' });
  const access = await findToken(tx, { grantId, tokenHash: hashToken(pair.access), kind: 'access' });
  return refresh && !refresh.usedAt && access ? { ...pair, accessSeconds: access.secondsLeft } : null;
}

async function consumeRefreshQuota(db: Executor, grantId: string): Promise<void> {
  const window = {
    scope: 'oauth-refresh',
    subject: grantId,
    quota: REFRESHES_PER_HOUR,
    seconds: HOUR_SECONDS,
  };
  const { taken, resetSeconds } = await takeFromWindow(db, window);
  if (!taken)
    throw new GatewayError('RATE_LIMIT_EXCEEDED', {
      message: 'This application refreshes its tokens too often.',
      hint: 'Reuse the access token until expires_in has passed.',
      details: { limit: 'hour', retry_after: resetSeconds },
    });
}

function badToken(): OAuthError {
  return new OAuthError(
    'invalid_grant',
    'The refresh token is invalid: it is unknown, used, expired or revoked. Start a new authorization.',
  );
}
