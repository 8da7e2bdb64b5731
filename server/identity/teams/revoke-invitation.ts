import { writeAudit } from '../../core/audit/audit';
import { GatewayError } from '../../core/errors/gateway-error';
import type { Runtime } from '../../core/runtime';
import { actorName, type SessionActor } from '../../core/trpc/actor';
import { findInvitation, markRevoked } from './invitation-store';
import { lockTeam } from './lock-team';

/**
 * Revokes an invitation: its link stops working. Idempotent.
 * @throws GatewayError NOT_FOUND if it is not the team's; INVALID_INPUT if it was accepted
 */
export async function revokeInvitation(
  runtime: Pick<Runtime, 'db'>,
  actor: SessionActor,
  { slug, id }: { slug: string; id: string },
): Promise<{ success: true }> {
  await runtime.db.transaction(async (tx) => {
    const { team } = await lockTeam(tx, actor, slug, 'admin');
    const invitation = await findInvitation(tx, team.id, id);
    if (!invitation) throw new GatewayError('NOT_FOUND', { message: 'There is no such invitation.' });
    if (invitation.accepted)
      throw new GatewayError('INVALID_INPUT', {
        message: `${invitation.email} has already accepted it.`,
        hint: 'Remove them in the list of members.',
      });
    if (invitation.revoked) return;
    await markRevoked(tx, id);
    await writeAudit(tx, {
      actor: actorName(actor),
      action: 'team.invitation_revoke',
      accountId: team.id,
      target: id,
    });
  });
  return { success: true };
}
