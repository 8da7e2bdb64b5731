import type { Executor } from '@/db/client';
import { GatewayError } from '../../core/errors/gateway-error';
import { takeFromWindow } from '../../core/limits/store';
import type { Runtime } from '../../core/runtime';
import { endGrant } from './end-grant';
import type { IssuedTokens } from './exchange-code';
import { ACCESS_SECONDS, REFRESH_SECONDS } from './grant-rules';
import { OAuthError } from './oauth-error';
import { hashToken, isTokenOf, newSeed, successorsOf } from './oauth-token';
import {
  type ClientRow,
  findToken,
  findTokenGrant,
  insertTokens,
  lockGrant,
  markTokenUsed,
  touchClient,
} from './store';

/** An answer that was lost is asked for again within so long, and is given again. */
const GRACE_SECONDS = 30;
/**
 * Of one grant. A token lasts an hour: whoever asks more often keeps nothing, or works in many
 * processes.
 */
const REFRESHES_PER_HOUR = 60;
const HOUR_SECONDS = 3600;

/**
 * The next pair for a refresh token, which is good once (RFC 9700 section 4.14.2). Presented again,
 * it is known to somebody else, and the grant ends: but for half a minute, while nobody has used
 * its successor, the same pair is given again, to a client that never got it or whose two processes
 * asked at once. No second line of tokens comes from that.
 * @throws OAuthError invalid_grant; GatewayError RATE_LIMIT_EXCEEDED
 */
export async function refreshTokens(
  { db }: Runtime,
  client: ClientRow,
  refreshToken: string,
): Promise<IssuedTokens> {
  if (!isTokenOf('refresh', refreshToken)) throw badToken();
  const found = await findTokenGrant(db, client.id, hashToken(refreshToken));
  if (found?.kind !== 'refresh') throw badToken();
  await takeRefresh(db, found.grantId);
  await touchClient(db, client.id);
  // Thrown outside: a refusal must not take back that the grant has ended.
  const tokens = await db.transaction((tx) => nextPair(tx, client, found.grantId, refreshToken));
  if (!tokens) throw badToken();
  return tokens;
}

async function nextPair(
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
  // The token stays as it is: it is good again once the account is.
  if (grant.accountFrozen)
    throw new OAuthError(
      'invalid_grant',
      'The account is frozen: its person asks the operator of the gateway.',
    );
  const tokenHash = hashToken(refreshToken);
  const token = await findToken(tx, { grantId, tokenHash, kind: 'refresh' }, GRACE_SECONDS);
  if (!token || token.secondsLeft <= 0) return null;
  if (!token.usedAt) {
    const seed = newSeed();
    const pair = successorsOf(refreshToken, seed);
    await markTokenUsed(tx, { grantId, tokenHash, seed });
    await insertTokens(tx, grantId, pair, { accessSeconds: ACCESS_SECONDS, refreshSeconds: REFRESH_SECONDS });
    return { ...pair, accessSeconds: ACCESS_SECONDS };
  }
  const again =
    token.usedJustNow && token.seed ? await samePair(tx, grantId, refreshToken, token.seed) : null;
  if (!again) await endGrant(tx, { userId, grantId }, { actor, action: 'oauth.reuse' });
  return again;
}

/** What the token was exchanged for, where none of it has been used or taken back. */
async function samePair(
  tx: Executor,
  grantId: string,
  refreshToken: string,
  seed: Buffer,
): Promise<IssuedTokens | null> {
  const pair = successorsOf(refreshToken, seed);
  const refresh = await findToken(tx, { grantId, tokenHash: hashToken(pair.refresh), kind: 'refresh' });
  const access = await findToken(tx, { grantId, tokenHash: hashToken(pair.access), kind: 'access' });
  return refresh && !refresh.usedAt && access ? { ...pair, accessSeconds: access.secondsLeft } : null;
}

async function takeRefresh(db: Executor, grantId: string): Promise<void> {
  const window = {
    scope: 'oauth-refresh',
    subject: grantId,
    quota: REFRESHES_PER_HOUR,
    seconds: HOUR_SECONDS,
  };
  const { taken, resetSeconds } = await takeFromWindow(db, window);
  if (!taken)
    throw new GatewayError('RATE_LIMIT_EXCEEDED', {
      message: 'This application asks for new tokens too often.',
      hint: 'Keep the access token for as long as expires_in says.',
      details: { limit: 'hour', retry_after: resetSeconds },
    });
}

function badToken(): OAuthError {
  return new OAuthError(
    'invalid_grant',
    'The refresh token is not valid: it is unknown, used, expired or revoked. Ask the person again.',
  );
}
