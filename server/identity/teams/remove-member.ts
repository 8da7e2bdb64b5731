import { writeAudit } from '../../core/audit/audit';
import type { Runtime } from '../../core/runtime';
import { actorName, type SessionActor } from '../../core/trpc/actor';
import { revokeInvitationsFrom } from './invitation-store';
import { lockTeam } from './lock-team';
import { noSuchMember, refused } from './refusal';
import { deleteMember, findRole } from './store';

/**
 * Removes a member: their keys' next request charged to the team is refused; running calls finish
 * and are charged. Revokes the invitations they sent. For the owner and admins.
 * @throws GatewayError FORBIDDEN for the owner; NOT_FOUND
 */
export async function removeMember(
  runtime: Pick<Runtime, 'db'>,
  actor: SessionActor,
  { slug, userId }: { slug: string; userId: string },
): Promise<{ success: true }> {
  await runtime.db.transaction(async (tx) => {
    const { team } = await lockTeam(tx, actor, slug, 'admin');
    const role = await findRole(tx, team.id, userId);
    if (!role) throw noSuchMember();
    if (role === 'owner')
      throw refused('The owner cannot be removed.', 'The owner can transfer ownership or delete the team.');
    await deleteMember(tx, team.id, userId);
    await revokeInvitationsFrom(tx, team.id, userId);
    await writeAudit(tx, {
      actor: actorName(actor),
      action: 'team.member_remove',
      accountId: team.id,
      target: userId,
      details: { role },
    });
  });
  return { success: true };
}
