import type { Executor } from '@/db/client';
import type { SessionActor } from '../../core/trpc/actor';
import { lockAccounts } from '../../money/billing/ledger';
import { noSuchTeam, refused, refuseFrozen } from './refusal';
import { isAtLeast } from './role';
import type { TeamRole } from './schema';
import { findRole, findTeamId } from './store';

export type LockedAccount = Awaited<ReturnType<typeof lockAccounts>>[number];

/** A locked team, and the caller's role in it. */
export interface LockedTeam {
  team: LockedAccount;
  role: TeamRole;
  /** The other accounts locked with it. */
  others: LockedAccount[];
}

const ROLE_ERRORS: Record<TeamRole, string> = {
  owner: 'Only the owner of the team can do that.',
  admin: 'Only the owner and admins of the team can do that.',
  member: 'Only members of the team can do that.',
};

/**
 * Locks a team's account against calls and other changes, then checks the caller's role.
 * @param alongside ids of accounts to lock with it, in the global lock order
 * @throws GatewayError NOT_FOUND if the caller is not a member; FORBIDDEN if their role is not
 *   sufficient, or if they are frozen and `need` is more than member
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
  if (!isAtLeast(role, need))
    throw refused(
      ROLE_ERRORS[need],
      need === 'owner' ? 'Ask the owner of the team.' : 'Ask an owner or admin of the team.',
    );
  if (need !== 'member') refuseFrozen(actor);
  return { team, role, others: locked.filter((account) => account !== team) };
}
