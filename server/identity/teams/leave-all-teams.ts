import type { Executor } from '@/db/client';
import { writeAudit } from '../../core/audit/audit';
import { actorName, type SessionActor } from '../../core/trpc/actor';
import { closeLockedTeam } from './close-locked-team';
import { deletePersonInvitations } from './invitation-store';
import type { LockedAccount } from './lock-team';
import { refused } from './refusal';
import { countMembers, deleteMemberships, findPerson } from './store';

/**
 * Removes a person from all their teams, in the transaction that deletes their account. Closes
 * teams in which they are alone, and deletes invitations to and from them.
 * @throws GatewayError FORBIDDEN while they own a team with other members, or one that cannot be
 *   closed
 */
export async function leaveAllTeams(
  tx: Executor,
  actor: SessionActor,
  teams: readonly LockedAccount[],
): Promise<void> {
  const by = actorName(actor);
  for (const team of teams) {
    if (team.ownerUserId === actor.userId) {
      if ((await countMembers(tx, team.id)) > 1)
        throw refused(
          `You own ${team.name}, which has other members.`,
          'Transfer ownership to one of them, or delete the team first.',
        );
      await closeLockedTeam(tx, by, team);
    } else
      await writeAudit(tx, { actor: by, action: 'team.leave', accountId: team.id, target: actor.userId });
  }
  const person = await findPerson(tx, actor.userId);
  if (person) await deletePersonInvitations(tx, { userId: actor.userId, email: person.email });
  await deleteMemberships(tx, actor.userId);
}
