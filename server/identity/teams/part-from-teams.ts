import type { Executor } from '@/db/client';
import { writeAudit } from '../../core/audit/audit';
import { actorName, type SessionActor } from '../../core/trpc/actor';
import { closeWithin } from './close-within';
import { deleteInvitationsOf } from './invitation-store';
import type { LockedAccount } from './lock-team';
import { refused } from './refusal';
import { countMembers, deleteMembershipsOf, findPerson } from './store';

/**
 * Takes a person out of all their teams, within the transaction that ends their account. A team that is theirs alone is
 * closed with it; invitations to and from them go.
 * @throws GatewayError FORBIDDEN while they own a team with other members, or one that cannot be closed
 */
export async function partFromTeams(
  tx: Executor,
  actor: SessionActor,
  teams: readonly LockedAccount[],
): Promise<void> {
  const by = actorName(actor);
  for (const team of teams) {
    if (team.ownerUserId === actor.userId) {
      if ((await countMembers(tx, team.id)) > 1)
        throw refused(
          `You own ${team.name}, and others are in it.`,
          'Hand it over to one of them, or delete it first.',
        );
      await closeWithin(tx, by, team);
    } else
      await writeAudit(tx, { actor: by, action: 'team.leave', accountId: team.id, target: actor.userId });
  }
  const person = await findPerson(tx, actor.userId);
  if (person) await deleteInvitationsOf(tx, { userId: actor.userId, email: person.email });
  await deleteMembershipsOf(tx, actor.userId);
}
