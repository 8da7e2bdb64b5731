import type { TeamRole } from '@/server/identity/teams/schema';
import { Badge } from '../ui/badge';

export const ROLE_LABEL: Record<TeamRole, string> = { owner: 'Owner', admin: 'Admin', member: 'Member' };

/** A member's role in a team. */
export function RoleBadge({ role }: { role: TeamRole }) {
  return <Badge tone={role === 'owner' ? 'accent' : 'neutral'}>{ROLE_LABEL[role]}</Badge>;
}
