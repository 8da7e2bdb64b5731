import { findSpendPeriod } from '../../core/limits/key-rules';
import type { Runtime } from '../../core/runtime';
import type { SessionActor } from '../../core/trpc/actor';
import { usdFromMicrousd } from '../../kit/money';
import { describeInvitation, getDisplayName } from './invitation';
import { listUnanswered } from './invitation-store';
import { listMemberLimits, type MemberLimitRow } from './limit-store';
import { noSuchTeam } from './refusal';
import { isAtLeast } from './role';
import type { MemberSpend, TeamDetail, TeamMember } from './schema';
import { findTeam, listMembers, type SpendRow, sumSpendByMember } from './store';

/**
 * Returns a team for its members: members, balance, open invitations (for the owner and admins) and
 * each person's spending this month.
 * @throws GatewayError NOT_FOUND if the person is not a member
 */
export async function getTeam(
  runtime: Pick<Runtime, 'db' | 'ports'>,
  actor: SessionActor,
  slug: string,
): Promise<TeamDetail> {
  const { db } = runtime;
  const team = await findTeam(db, actor.userId, slug);
  if (!team) throw noSuchTeam();
  const from = startOfMonth(runtime.ports.clock.now());
  const [members, invitations, spend, limits] = await Promise.all([
    listMembers(db, team.id),
    isAtLeast(team.role, 'admin') ? listUnanswered(db, team.id) : [],
    sumSpendByMember(db, team.id, from),
    listMemberLimits(db, team.id),
  ]);
  return {
    id: team.id,
    slug: team.slug,
    name: team.name,
    role: team.role,
    is_default: team.is_default,
    available_usd: usdFromMicrousd(team.available),
    held_usd: usdFromMicrousd(team.held),
    debt_usd: usdFromMicrousd(team.debt),
    frozen: team.frozen,
    created_at: new Date(team.created_ms).toISOString(),
    members: members.map((row) => ({
      user_id: row.user_id,
      name: row.name,
      email: row.email,
      role: row.role,
      joined_at: new Date(row.joined_ms).toISOString(),
      is_viewer: row.user_id === actor.userId,
      limit: describeLimit(
        limits.find(({ user_id }) => user_id === row.user_id),
        from,
      ),
    })),
    invitations: invitations.map(describeInvitation),
    spend: {
      from: from.toISOString(),
      calls: spend.reduce((sum, row) => sum + row.calls, 0),
      cost_usd: usdFromMicrousd(spend.reduce((sum, row) => sum + row.cost, 0n)),
      by_member: spend.map(describeSpend),
    },
  };
}

function describeSpend(row: SpendRow): MemberSpend {
  const gone = getDisplayName(row.name, row.email) === null;
  return {
    user_id: row.user_id,
    team_keys: row.team_keys,
    name: row.name,
    email: gone ? null : row.email,
    is_member: row.is_member,
    calls: row.calls,
    cost_usd: usdFromMicrousd(row.cost),
  };
}

function describeLimit(row: MemberLimitRow | undefined, month: Date): TeamMember['limit'] {
  if (!row) return null;
  const { spend_limit: limit, spent } = row;
  return {
    amount_usd: usdFromMicrousd(limit),
    spent_usd: usdFromMicrousd(spent),
    left_usd: usdFromMicrousd(limit > spent ? limit - spent : 0n),
    resets_at: findSpendPeriod('month', month).end.toISOString(),
  };
}

/** Returns the start of the calendar month, UTC. */
function startOfMonth(now: Date): Date {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1));
}
