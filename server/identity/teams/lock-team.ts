import type { Executor } from '@/db/client';
import type { SessionActor } from '../../core/trpc/actor';
import { lockAccounts } from '../../money/billing/ledger';
import { noSuchTeam, refused, refuseFrozen } from './refusal';
import { reaches } from './role';
import type { TeamRole } from './schema';
import { findRole, findTeamId } from './store';

export type LockedAccount = Awaited<ReturnType<typeof lockAccounts>>[number];

/** A team that stands still while an act decides about it, and what the asker is in it. */
export interface LockedTeam {
  team: LockedAccount;
  role: TeamRole;
  /** The other accounts that were locked with it. */
  others: LockedAccount[];
}

const NEEDS: Record<TeamRole, string> = {
  owner: 'Only the owner of the team may do that.',
  admin: 'Only the owner and admins of the team may do that.',
  member: 'Only members of the team may do that.',
};

/**
 * Locks a team's account, against calls that charge it and every other act on it, and looks only then who asks.
 * @param alongside accounts to lock with it, in the one order that all locks are taken in
 * @throws GatewayError NOT_FOUND where the asker is not in such a team, FORBIDDEN where their role does not do, or they
 *   are frozen and it takes more than being a member
 */
export async function lockTeam(
  tx: Executor,
  actor: SessionActor,
  slug: string,
  need: TeamRole,
  alongside: readonly string[] = [],
): Promise<LockedTeam> {
  const id = await findTeamId(tx, slug);
  if (!id) throw noSuchTeam();
  const locked = await lockAccounts(tx, [id, ...alongside]);
  const team = locked.find((account) => account.id === id);
  const role = await findRole(tx, id, actor.userId);
  if (!team || team.closedAt || !role) throw noSuchTeam();
  if (!reaches(role, need))
    throw refused(
      NEEDS[need],
      need === 'owner' ? 'Ask the owner of the team.' : 'Ask an owner or admin of the team.',
    );
  if (need !== 'member') refuseFrozen(actor);
  return { team, role, others: locked.filter((account) => account !== team) };
}
