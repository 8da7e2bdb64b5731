import { writeAudit } from '../../core/audit/audit';
import type { Runtime } from '../../core/runtime';
import { actorName, type SessionActor } from '../../core/trpc/actor';
import { MAX_OWNED_TEAMS } from './create-team';
import { lockTeam } from './lock-team';
import { noSuchMember, refused } from './refusal';
import { countOwnedTeams, findPersonalAccountId, findRole, updateRole, updateTeamOwner } from './store';

/**
 * Transfers a team to one of its members; the previous owner becomes an admin. Credit, debt, saved
 * card and settings stay with the team.
 * @throws GatewayError FORBIDDEN if the caller is not the owner, or the new owner is frozen or owns
 *   too many teams; NOT_FOUND
 */
export async function transferOwnership(
  runtime: Pick<Runtime, 'db'>,
  actor: SessionActor,
  { slug, userId }: { slug: string; userId: string },
): Promise<{ success: true }> {
  await runtime.db.transaction(async (tx) => {
    const newOwnerAccountId = await findPersonalAccountId(tx, userId);
    if (!newOwnerAccountId) throw noSuchMember();
    // The new owner's account is locked too: it may be about to be deleted or to own too many
    // teams.
    const { team, others } = await lockTeam(tx, actor, slug, 'owner', [newOwnerAccountId]);
    if (userId === actor.userId) throw refused('You already own this team.', 'Choose another member.');
    const role = await findRole(tx, team.id, userId);
    if (!role || others[0]?.closedAt !== null) throw noSuchMember();
    if (others[0].frozenAt) throw refused('The account of this person is frozen.', 'Choose another member.');
    if ((await countOwnedTeams(tx, userId)) >= MAX_OWNED_TEAMS)
      throw refused(`This person owns ${MAX_OWNED_TEAMS} teams, the maximum.`, 'Choose another member.');
    await updateRole(tx, team.id, actor.userId, 'admin');
    await updateRole(tx, team.id, userId, 'owner');
    await updateTeamOwner(tx, team.id, userId);
    await writeAudit(tx, {
      actor: actorName(actor),
      action: 'team.transfer',
      accountId: team.id,
      target: userId,
      details: { from: actor.userId },
    });
  });
  return { success: true };
}
