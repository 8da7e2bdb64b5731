import { writeAudit } from '../../core/audit/audit';
import { GatewayError } from '../../core/errors/gateway-error';
import type { Runtime } from '../../core/runtime';
import { actorName, type SessionActor } from '../../core/trpc/actor';
import { getInvitationState } from './invitation';
import { markRevoked } from './invitation-store';
import { lockInvitation } from './lock-invitation';

/**
 * Declines an invitation: it leaves the team's list, and its link stops working.
 * @throws GatewayError NOT_FOUND for an unknown token; FORBIDDEN for another address; INVALID_INPUT
 *   if it was accepted
 */
export async function declineInvitation(
  runtime: Pick<Runtime, 'db'>,
  actor: SessionActor,
  token: string,
): Promise<{ success: true }> {
  await runtime.db.transaction(async (tx) => {
    const { invitation, team } = await lockInvitation(tx, actor, token);
    const state = getInvitationState(invitation);
    if (state === 'used')
      throw new GatewayError('INVALID_INPUT', {
        message: 'You have already accepted this invitation.',
        hint: 'You can leave the team on the team’s page.',
      });
    if (state === 'revoked') return;
    await markRevoked(tx, invitation.id);
    await writeAudit(tx, {
      actor: actorName(actor),
      action: 'team.invitation_decline',
      accountId: team.id,
      target: invitation.id,
    });
  });
  return { success: true };
}
