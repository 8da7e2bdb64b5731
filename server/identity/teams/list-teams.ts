import type { Runtime } from '../../core/runtime';
import type { SessionActor } from '../../core/trpc/actor';
import { usdFromMicrousd } from '../../kit/money';
import type { TeamSummary } from './schema';
import { listTeams as listTeamRows, type TeamRow } from './store';

/** Lists the person's teams, with the available balance of each. */
export async function listTeams(
  runtime: Pick<Runtime, 'db'>,
  actor: SessionActor,
): Promise<{ teams: TeamSummary[] }> {
  const rows = await listTeamRows(runtime.db, actor.userId);
  return { teams: rows.map(describeTeam) };
}

/** Converts a team row to its summary. */
export function describeTeam(row: TeamRow): TeamSummary {
  return {
    id: row.id,
    slug: row.slug,
    name: row.name,
    role: row.role,
    is_default: row.is_default,
    available_usd: usdFromMicrousd(row.available),
    frozen: row.frozen,
    members: row.members,
  };
}
