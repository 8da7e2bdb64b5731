import type { TeamRole } from './schema';

const RANK: Record<TeamRole, number> = { member: 0, admin: 1, owner: 2 };

/** Whether a role may do what another one is needed for. */
export function reaches(role: TeamRole, needed: TeamRole): boolean {
  return RANK[role] >= RANK[needed];
}
