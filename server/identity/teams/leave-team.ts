import { writeAudit } from '../../core/audit/audit';
import type { Runtime } from '../../core/runtime';
import { actorName, type SessionActor } from '../../core/trpc/actor';
import { revokeInvitationsFrom } from './invitation-store';
import { lockTeam } from './lock-team';
import { refused } from './refusal';
import { deleteMember } from './store';

/**
 * Ends the caller's membership.
 * @throws GatewayError FORBIDDEN for the owner: every team has one
 */
export async function leaveTeam(
  runtime: Pick<Runtime, 'db'>,
  actor: SessionActor,
  slug: string,
): Promise<{ success: true }> {
  await runtime.db.transaction(async (tx) => {
    const { team, role } = await lockTeam(tx, actor, slug, 'member');
    if (role === 'owner')
      throw refused('The owner cannot leave.', 'Transfer ownership to a member first, or delete the team.');
    await deleteMember(tx, team.id, actor.userId);
    await revokeInvitationsFrom(tx, team.id, actor.userId);
    await writeAudit(tx, {
      actor: actorName(actor),
      action: 'team.leave',
      accountId: team.id,
      target: actor.userId,
      details: { role },
    });
  });
  return { success: true };
}
