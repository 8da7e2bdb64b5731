import { writeAudit } from '../../core/audit/audit';
import { GatewayError } from '../../core/errors/gateway-error';
import type { Runtime } from '../../core/runtime';
import { actorName, type SessionActor } from '../../core/trpc/actor';
import { stateOf } from './invitation';
import { markRevoked } from './invitation-store';
import { lockInvitation } from './lock-invitation';

/**
 * Says no to an invitation: it is gone from the team's list, and its link leads nowhere.
 * @throws GatewayError NOT_FOUND for an unknown token, FORBIDDEN for another address, INVALID_INPUT where it was accepted
 */
export async function declineInvitation(
  runtime: Runtime,
  actor: SessionActor,
  token: string,
): Promise<{ success: true }> {
  await runtime.db.transaction(async (tx) => {
    const { invitation, team } = await lockInvitation(tx, actor, token);
    const state = stateOf(invitation);
    if (state === 'used')
      throw new GatewayError('INVALID_INPUT', {
        message: 'You have accepted this invitation already.',
        hint: 'You can leave the team on its page.',
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
