import { writeAudit } from '../../core/audit/audit';
import type { Runtime } from '../../core/runtime';
import { actorName, type SessionActor } from '../../core/trpc/actor';
import { revokeInvitationsFrom } from './invitation-store';
import { lockTeam } from './lock-team';
import { noSuchMember, refused } from './refusal';
import { isAtLeast } from './role';
import type { GivenRole } from './schema';
import { findRole, updateRole } from './store';

/**
 * Changes a member's role to admin or member; admins may change their own. For the owner and
 * admins.
 * @throws GatewayError FORBIDDEN for the owner's role, which only a transfer changes; NOT_FOUND
 */
export async function changeRole(
  runtime: Pick<Runtime, 'db'>,
  actor: SessionActor,
  { slug, userId, role }: { slug: string; userId: string; role: GivenRole },
): Promise<{ success: true }> {
  await runtime.db.transaction(async (tx) => {
    const { team } = await lockTeam(tx, actor, slug, 'admin');
    const before = await findRole(tx, team.id, userId);
    if (!before) throw noSuchMember();
    if (before === 'owner')
      throw refused('The owner’s role cannot be changed.', 'The owner can transfer ownership to a member.');
    if (before === role) return;
    await updateRole(tx, team.id, userId, role);
    if (!isAtLeast(role, 'admin')) await revokeInvitationsFrom(tx, team.id, userId);
    await writeAudit(tx, {
      actor: actorName(actor),
      action: 'team.role',
      accountId: team.id,
      target: userId,
      details: { from: before, to: role },
    });
  });
  return { success: true };
}
