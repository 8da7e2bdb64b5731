import { writeAudit } from '../../core/audit/audit';
import type { Runtime } from '../../core/runtime';
import { actorName, type SessionActor } from '../../core/trpc/actor';
import { revokeAllBy } from './invitation-store';
import { lockTeam } from './lock-team';
import { noSuchMember, refused } from './refusal';
import { deleteMember, findRole } from './store';

/**
 * Takes a person out of a team: their keys are refused by their next request that charges it; what runs is finished and
 * charged. What they have sent as invitations ends with it. For owner and admins.
 * @throws GatewayError FORBIDDEN for the owner
 */
export async function removeMember(
  runtime: Runtime,
  actor: SessionActor,
  { slug, userId }: { slug: string; userId: string },
): Promise<{ success: true }> {
  await runtime.db.transaction(async (tx) => {
    const { team } = await lockTeam(tx, actor, slug, 'admin');
    const role = await findRole(tx, team.id, userId);
    if (!role) throw noSuchMember();
    if (role === 'owner')
      throw refused('The owner cannot be removed.', 'The owner can hand the team over, or delete it.');
    await deleteMember(tx, team.id, userId);
    await revokeAllBy(tx, team.id, userId);
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
