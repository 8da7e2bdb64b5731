import { writeAudit } from '../../core/audit/audit';
import type { Runtime } from '../../core/runtime';
import { actorName, type SessionActor } from '../../core/trpc/actor';
import { limitFromUsd, type Microusd } from '../../kit/money';
import { listMemberLimits, saveMemberLimit } from './limit-store';
import { lockTeam } from './lock-team';
import { invalidField, noSuchMember, refused } from './refusal';
import { findRole } from './store';

interface MemberLimit {
  slug: string;
  userId: string;
  /** Null: no limit. */
  limitUsd: number | null;
}

/**
 * Sets what calls of a member's own keys may cost the team in a calendar month (UTC), from their
 * next call on. What they have spent this month counts. For the owner and admins; the owner's limit
 * is the owner's to set.
 * @throws GatewayError NOT_FOUND; FORBIDDEN; INVALID_INPUT
 */
export async function setMemberLimit(
  runtime: Pick<Runtime, 'db'>,
  actor: SessionActor,
  { slug, userId, limitUsd }: MemberLimit,
): Promise<{ success: true }> {
  const limit = limitFromUsd(limitUsd);
  if (limitUsd !== null && limit === null)
    throw invalidField('limit_usd', 'Must have at most six decimals.', 'Send dollars, such as 25 or 0.5.');
  await runtime.db.transaction(async (tx) => {
    // The lock of the team's account excludes every paid call, so the sum below is exact.
    const { team, role } = await lockTeam(tx, actor, slug, 'admin');
    const target = await findRole(tx, team.id, userId);
    if (!target) throw noSuchMember();
    if (target === 'owner' && role !== 'owner')
      throw refused('Only the owner can limit the owner.', 'Ask the owner of the team.');
    await saveMemberLimit(tx, team.id, userId, limit);
    await writeAudit(tx, {
      actor: actorName(actor),
      action: 'team.member_limit',
      accountId: team.id,
      target: userId,
      details: { limit_usd: limitUsd },
    });
  });
  return { success: true };
}

/** What calls of a member's own keys may cost the team this month, and have; null: no limit. */
export async function findMemberLimit(
  { db }: Pick<Runtime, 'db'>,
  teamId: string,
  userId: string,
): Promise<{ limit: Microusd; spent: Microusd } | null> {
  const row = (await listMemberLimits(db, teamId)).find(({ user_id: id }) => id === userId);
  return row ? { limit: row.spend_limit, spent: row.spent } : null;
}
