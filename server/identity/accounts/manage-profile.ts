import { GatewayError } from '../../core/errors/gateway-error';
import type { Runtime } from '../../core/runtime';
import type { SessionActor } from '../../core/trpc/actor';
import { describeUserAgent } from '../../kit/describe-user-agent';
import { getOperatorRole } from '../../platform/settings/access-settings';
import type { Viewer } from './schema';
import { deleteOtherSessions, deleteSession, findUser, listSessions, updateUserName } from './store';

/** Returns the signed-in person's profile. */
export async function getViewer(
  runtime: Pick<Runtime, 'db' | 'settings'>,
  actor: SessionActor,
): Promise<Viewer> {
  const user = await findUser(runtime.db, actor.userId);
  if (!user) throw new GatewayError('AUTH_FAILED');
  const { verifiedEmail, accountFrozen } = actor;
  const role = verifiedEmail && !accountFrozen ? getOperatorRole(runtime.settings, verifiedEmail) : null;
  return {
    user_id: user.id,
    name: user.name,
    email: user.email,
    image: user.image,
    account_id: actor.accountId,
    operator: role !== null,
    read_only_operator: role === 'support',
  };
}

/** Changes the person's display name. */
export async function renameViewer(
  runtime: Pick<Runtime, 'db' | 'settings'>,
  actor: SessionActor,
  name: string,
): Promise<Viewer> {
  await updateUserName(runtime.db, actor.userId, name);
  return await getViewer(runtime, actor);
}

/** Lists the person's sessions. Ids are hashes of session tokens and grant no access. */
export async function listViewerSessions(runtime: Pick<Runtime, 'db'>, actor: SessionActor) {
  const rows = await listSessions(runtime.db, actor.userId);
  return {
    sessions: rows.map((row) => ({
      id: row.sessionToken,
      current: row.sessionToken === actor.sessionId,
      created_at: row.createdAt.toISOString(),
      expires_at: row.expires.toISOString(),
      device: describeUserAgent(row.userAgent),
      ip: row.clientIp,
      last_used_at: row.lastUsedAt?.toISOString() ?? null,
    })),
  };
}

/**
 * Signs the person out of one session.
 * @throws GatewayError NOT_FOUND
 */
export async function endViewerSession(runtime: Pick<Runtime, 'db'>, actor: SessionActor, id: string) {
  if (!(await deleteSession(runtime.db, actor.userId, id))) throw new GatewayError('NOT_FOUND');
  return { success: true as const };
}

/** Signs the person out of every session but this one. */
export async function endOtherSessions(runtime: Pick<Runtime, 'db'>, actor: SessionActor) {
  return { ended: await deleteOtherSessions(runtime.db, actor.userId, actor.sessionId) };
}
