'use client';

import { useQueryClient } from '@tanstack/react-query';
import { MAX_TEAM_NAME_LENGTH } from '@/server/identity/teams/limits';
import type { TeamDetail } from '@/server/identity/teams/schema';
import { queryKey } from '../shared/queries';
import { RenameDialog } from '../shared/rename-dialog';
import { trpc } from '../shared/trpc-provider';
import { Button } from '../ui/button';
import { toast } from '../ui/toast';

export function RenameTeamDialog({ team }: { team: TeamDetail }) {
  const queries = useQueryClient();

  async function rename(name: string) {
    await trpc.teams.rename.mutate({ slug: team.slug, name });
    toast.success(`Renamed to “${name}”`);
    for (const key of [queryKey.teams, queryKey.balance]) void queries.invalidateQueries({ queryKey: key });
  }

  return (
    <RenameDialog
      trigger={<Button>Rename</Button>}
      noun="team"
      description={`The slug stays ${team.slug}, so agents that charge the team are not affected.`}
      name={team.name}
      maxLength={MAX_TEAM_NAME_LENGTH}
      rename={rename}
    />
  );
}
