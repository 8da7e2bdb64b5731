import type { TeamRole } from './schema';

const RANK: Record<TeamRole, number> = { member: 0, admin: 1, owner: 2 };

/** Whether a role includes the rights of another. */
export function isAtLeast(role: TeamRole, needed: TeamRole): boolean {
  return RANK[role] >= RANK[needed];
}
