'use client';

import Link from 'next/link';
import type { ReactNode } from 'react';
import type { TeamDetail as Team } from '@/server/identity/teams/schema';
import { DashboardNotFoundView } from '../shared/dashboard-not-found-view';
import { formatCount } from '../shared/format';
import { useTeam } from '../shared/queries';
import { RoleBadge } from '../shared/role-badge';
import { gatewayError } from '../shared/trpc-provider';
import { Badge } from '../ui/badge';
import { buttonClass } from '../ui/button-class';
import { Card } from '../ui/card';
import { CopyButton } from '../ui/copy-button';
import { ArrowLeft, Plus } from '../ui/icons';
import { formatCents, Money } from '../ui/money';
import { Notice } from '../ui/notice';
import { PageHeader } from '../ui/page-header';
import { Stat } from '../ui/stat';
import { InviteDialog } from './invite-dialog';
import { RenameTeamDialog } from './rename-team-dialog';
import { TeamCharging } from './team-charging';
import { TeamDanger } from './team-danger';
import { TeamInvitations } from './team-invitations';
import { TeamMembers } from './team-members';
import { TeamSpend } from './team-spend';

interface TeamDetailProps {
  initial: Team;
  /** The keys of the team. */
  keys: ReactNode;
  /** Cards of other areas. */
  settings: ReactNode;
}

/** A team: its balance, members, keys and spending. */
export function TeamDetail({ initial, keys, settings }: TeamDetailProps) {
  const query = useTeam(initial);
  const team = query.data;
  // The viewer was removed while the page was open: show nothing of the team.
  if (gatewayError(query.error)?.code === 'NOT_FOUND') return <DashboardNotFoundView />;
  const manages = team.role !== 'member';
  return (
    <>
      <PageHeader
        back={
          <Link href="/dashboard/team" className="inline-flex items-center gap-1.5 text-muted hover:text-ink">
            <ArrowLeft aria-hidden className="size-4" />
            Teams
          </Link>
        }
        title={<span className="break-words">{team.name}</span>}
        actions={manages && <RenameTeamDialog team={team} />}
      />
      <Notices team={team} />
      <Facts team={team} manages={manages} />
      <TeamMembers team={team} action={manages && <InviteDialog team={team} />} />
      {manages && <TeamInvitations team={team} />}
      {keys}
      <TeamSpend spend={team.spend} slug={team.slug} />
      <TeamCharging team={team} />
      {settings}
      <TeamDanger team={team} />
    </>
  );
}

/** The balance, the slug, and the viewer's role. */
function Facts({ team, manages }: { team: Team; manages: boolean }) {
  return (
    <Card className="flex flex-wrap items-center justify-between gap-x-6 gap-y-4 p-4 sm:p-5">
      <dl className="grid grid-cols-2 gap-x-6 gap-y-4 max-sm:grow sm:flex sm:flex-wrap sm:gap-x-12">
        <Stat
          label="Balance"
          value={<Money usd={team.available_usd} headline down />}
          note={heldNote(team)}
        />
        <Stat
          label="Spent this month"
          value={<Money usd={team.spend.cost_usd} headline />}
          note={formatCount(team.spend.calls, 'call')}
        />
        <div className="min-w-0">
          <dt className="text-muted text-sm">Slug</dt>
          <dd className="flex min-h-8 items-center gap-1">
            <code className="min-w-0 break-words font-mono text-sm">{team.slug}</code>
            <CopyButton value={team.slug} label="Copy slug" />
          </dd>
        </div>
        <div>
          <dt className="text-muted text-sm">Your role</dt>
          <dd className="flex min-h-8 items-center gap-2">
            <RoleBadge role={team.role} />
            {team.is_default && <Badge>Default</Badge>}
          </dd>
        </div>
      </dl>
      {manages && (
        <Link
          href={`/dashboard/billing?billing=${encodeURIComponent(team.slug)}`}
          className={buttonClass({ variant: 'primary', className: 'max-sm:w-full' })}
        >
          <Plus aria-hidden />
          Buy credit for this team
        </Link>
      )}
    </Card>
  );
}

function heldNote({ held_usd: held }: Team) {
  return held > 0 ? `and ${formatCents(held)} held by running calls` : undefined;
}

function Notices({ team }: { team: Team }) {
  return (
    <>
      {team.frozen && (
        <Notice tone="danger" title="This team is frozen">
          Calls that charge it are refused. Ask the operator of this gateway.
        </Notice>
      )}
      {team.debt_usd > 0 && (
        <Notice tone="warning" title={`The team owes ${formatCents(team.debt_usd)}`}>
          A refund or dispute reversed credit that was already spent. Paid calls are refused until the debt is
          paid. The next credit you buy pays it off first.
        </Notice>
      )}
    </>
  );
}
