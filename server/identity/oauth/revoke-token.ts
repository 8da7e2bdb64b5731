import type { Runtime } from '../../core/runtime';
import { endGrant } from './end-grant';
import { hashToken, hasTokenFormat } from './oauth-token';
import { type ClientRow, deleteToken, findTokenGrant, lockGrant } from './store';

/**
 * Revokes a client's token (RFC 7009): an access token alone, or a refresh token with its whole
 * grant. Unknown tokens and those of other clients are ignored.
 */
export async function revokeToken(
  { db }: Pick<Runtime, 'db'>,
  client: ClientRow,
  token: string,
): Promise<void> {
  if (!hasTokenFormat('access', token) && !hasTokenFormat('refresh', token)) return;
  const tokenHash = hashToken(token);
  await db.transaction(async (tx) => {
    const found = await findTokenGrant(tx, client.id, tokenHash);
    const grant = found && (await lockGrant(tx, client.id, found.grantId));
    if (!grant) return;
    if (found.kind === 'access') await deleteToken(tx, grant.id, tokenHash);
    else
      await endGrant(
        tx,
        { userId: grant.userId, grantId: grant.id },
        { actor: `client:${client.id}`, action: 'oauth.revoke' },
      );
  });
}
