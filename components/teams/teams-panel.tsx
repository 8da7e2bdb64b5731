'use client';

import Link from 'next/link';
import { useState } from 'react';
import type { TeamSummary } from '@/server/identity/teams/schema';
import { problemText } from '../shared/problem';
import { useTeams } from '../shared/queries';
import { RoleBadge } from '../shared/role-badge';
import { gatewayError } from '../shared/trpc-provider';
import { useOpenOnce } from '../shared/use-open-once';
import { Badge } from '../ui/badge';
import { Button } from '../ui/button';
import { Card } from '../ui/card';
import { EmptyState } from '../ui/empty-state';
import { ErrorState } from '../ui/error-state';
import { formatNumber } from '../ui/format-number';
import { Users } from '../ui/icons';
import { Money } from '../ui/money';
import { PageHeader } from '../ui/page-header';
import { Table, Tbody, Td, Th, Thead, Tr } from '../ui/table';
import { CreateTeamDialog } from './create-team-dialog';

/** The teams the viewer belongs to. */
export function TeamsPanel({ initial }: { initial: TeamSummary[] }) {
  const query = useTeams(initial);
  const teams = query.data ?? initial;
  const [creating, setCreating] = useState(false);
  useOpenOnce('create', setCreating);
  return (
    <>
      <PageHeader
        title="Team"
        description="A team has a shared balance that all members’ agents can spend."
        actions={<CreateTeamDialog open={creating} onOpenChange={setCreating} />}
      />
      <Card>
        <section aria-label="Teams">
          {query.isError && teams.length === 0 ? (
            <ErrorState
              title="Your teams could not be loaded"
              requestId={gatewayError(query.error)?.request_id}
              onRetry={() => query.refetch()}
              retrying={query.isFetching}
            >
              {problemText(query.error)}
            </ErrorState>
          ) : teams.length === 0 ? (
            <NoTeams onCreate={() => setCreating(true)} />
          ) : (
            <TeamsTable teams={teams} />
          )}
        </section>
      </Card>
    </>
  );
}

function TeamsTable({ teams }: { teams: TeamSummary[] }) {
  return (
    <Table caption="Teams">
      <Thead>
        <Th>Name</Th>
        <Th>Your role</Th>
        <Th numeric>Members</Th>
        <Th numeric>Balance</Th>
      </Thead>
      <Tbody>
        {teams.map((team) => (
          <Tr key={team.id}>
            <Td head>
              <div className="min-w-0">
                <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
                  <Link
                    href={`/dashboard/team/${team.slug}`}
                    className="wrap-anywhere min-w-0 hover:underline"
                  >
                    {team.name}
                  </Link>
                  {team.is_default && <Badge>Default</Badge>}
                  {team.frozen && <Badge tone="danger">Frozen</Badge>}
                </span>
                <p className="font-mono font-normal text-muted text-xs">{team.slug}</p>
              </div>
            </Td>
            <Td label="Your role">
              <RoleBadge role={team.role} />
            </Td>
            <Td label="Members" numeric>
              {formatNumber(team.members)}
            </Td>
            <Td label="Balance" numeric>
              <Money usd={team.available_usd} down />
            </Td>
          </Tr>
        ))}
      </Tbody>
    </Table>
  );
}

function NoTeams({ onCreate }: { onCreate: () => void }) {
  return (
    <EmptyState
      icon={<Users />}
      title="You’re not in a team yet"
      action={<Button onClick={onCreate}>Create your first team</Button>}
    >
      A team shares one balance: every member’s agents can spend it, and everyone sees who spent what. Your
      own keys and balance stay separate. To join an existing team, ask one of its admins to invite you.
    </EmptyState>
  );
}
