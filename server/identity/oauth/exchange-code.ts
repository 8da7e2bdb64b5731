import { createHash, randomBytes } from 'node:crypto';
import type { Executor } from '@/db/client';
import { writeAudit } from '../../core/audit/audit';
import type { Runtime } from '../../core/runtime';
import { newId } from '../../kit/ids';
import { lockAccounts } from '../../money/billing/ledger';
import { endGrant } from './end-grant';
import { ACCESS_SECONDS, getMaxGrants, MAX_GRANTS, REFRESH_SECONDS } from './grant-rules';
import { OAuthError } from './oauth-error';
import { hashToken, hasTokenFormat, newToken, type TokenPair } from './oauth-token';
import { verifies } from './pkce';
import {
  type ClientRow,
  countGrants,
  insertGrant,
  insertGrantKey,
  insertTokens,
  lockClientGrants,
  lockCode,
  markCodeUsed,
} from './store';

/** The client's token request. */
interface Exchange {
  code: string;
  verifier: string;
  /** Checked if sent: RFC 6749 requires it, OAuth 2.1 omits it. */
  redirectUri: string | null;
}

/** Tokens, with the lifetime of the access token in seconds. */
export interface IssuedTokens extends TokenPair {
  accessSeconds: number;
}

type Code = NonNullable<Awaited<ReturnType<typeof lockCode>>>;

/**
 * Exchanges an authorization code for tokens. A code that is presented twice has leaked, so its
 * grant ends (RFC 6749 section 4.1.2).
 * @throws OAuthError invalid_grant
 */
export async function exchangeCode(
  { db }: Pick<Runtime, 'db'>,
  client: ClientRow,
  { code, verifier, redirectUri }: Exchange,
): Promise<IssuedTokens> {
  if (!hasTokenFormat('code', code)) throw badCode();
  const codeHash = hashToken(code);
  // Throw only after the commit: an error inside would roll back the end of the grant.
  const tokens = await db.transaction(async (tx) => {
    const found = await lockCode(tx, client.id, codeHash);
    if (!found) return null;
    if (found.usedAt) {
      if (found.grantId) await endReused(tx, client, { userId: found.userId, grantId: found.grantId });
      return null;
    }
    const right = redirectUri === null || redirectUri === found.redirectUri;
    if (found.expired || !right || !verifies(verifier, found.challenge)) return null;
    return await createGrant(tx, client, codeHash, found);
  });
  if (!tokens) throw badCode();
  return tokens;
}

/**
 * Creates the grant, its key and tokens; replaces the oldest grants above the client's limit.
 * @returns null if the account was closed or frozen after the approval
 */
async function createGrant(
  tx: Executor,
  client: ClientRow,
  codeHash: Buffer,
  { userId, accountId, redirectUri, creditsMicrousd }: Code,
): Promise<IssuedTokens | null> {
  const actor = `user:${userId}`;
  const before = await lockClientGrants(tx, userId, client.id);
  const tooMany = before.slice(getMaxGrants(client) - 1);
  for (const { id } of tooMany.toSorted((a, b) => (a.keyId < b.keyId ? -1 : 1)))
    await endGrant(tx, { userId, grantId: id }, { actor, action: 'oauth.replace' });
  const [account] = await lockAccounts(tx, [accountId]);
  if (!account || account.closedAt || account.frozenAt) return null;
  // Checked again under the account's lock: more requests may have been approved than fit.
  if ((await countGrants(tx, userId)) >= MAX_GRANTS)
    throw new OAuthError('invalid_grant', `The user can connect at most ${MAX_GRANTS} applications.`);
  const [keyId, grantId] = [newId('key'), newId('oauthGrant')];
  // The key has no secret: its hash is of random bytes that are discarded here.
  const keyHash = createHash('sha256').update(randomBytes(32)).digest();
  await insertGrantKey(tx, { id: keyId, accountId, name: client.name, keyHash, creditsMicrousd });
  await insertGrant(tx, { id: grantId, clientId: client.id, userId, keyId, redirectUri });
  await markCodeUsed(tx, codeHash, grantId);
  const tokens = { access: newToken('access'), refresh: newToken('refresh') };
  await insertTokens(tx, grantId, tokens, { accessSeconds: ACCESS_SECONDS, refreshSeconds: REFRESH_SECONDS });
  const details = { client: client.id };
  await writeAudit(tx, { actor, action: 'oauth.allow', accountId, target: keyId, details });
  return { ...tokens, accessSeconds: ACCESS_SECONDS };
}

async function endReused(
  tx: Executor,
  client: ClientRow,
  grant: { userId: string; grantId: string },
): Promise<void> {
  await endGrant(tx, grant, { actor: `client:${client.id}`, action: 'oauth.reuse' });
}

function badCode(): OAuthError {
  return new OAuthError(
    'invalid_grant',
    'The code is invalid: it is unknown, used or older than a minute, or redirect_uri or code_verifier does not match.',
  );
}
