'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { GivenRole, TeamDetail, TeamMember } from '@/server/identity/teams/schema';
import { formatCount } from '../shared/format';
import { problemText, withProblemText } from '../shared/problem';
import { queryKey } from '../shared/queries';
import { ROLE_LABEL, RoleBadge } from '../shared/role-badge';
import { trpc } from '../shared/trpc-provider';
import { useReturnFocus } from '../shared/use-return-focus';
import { AlertDialog } from '../ui/alert-dialog';
import { Badge } from '../ui/badge';
import { Card, CardHeader } from '../ui/card';
import { DateTime } from '../ui/date-time';
import { IconButton } from '../ui/icon-button';
import { UserMinus } from '../ui/icons';
import { lazyOverlay } from '../ui/lazy-overlay';
import { LoadMore } from '../ui/load-more';
import { Select } from '../ui/select';
import { Table, Tbody, Td, Th, Thead, Tr } from '../ui/table';
import { toast } from '../ui/toast';
import { MemberLimit } from './member-limit';
import { personName } from './person-name';

const MemberLimitDialog = lazyOverlay(() =>
  import('./member-limit-dialog').then((module) => module.MemberLimitDialog),
);

const PAGE_ROWS = 50;

interface TeamMembersProps {
  team: TeamDetail;
  /** The invite button, for owners and admins. */
  action: ReactNode;
}

export function TeamMembers({ team, action }: TeamMembersProps) {
  const [rows, setRows] = useState(PAGE_ROWS);
  const [leaving, setLeaving] = useState<TeamMember | null>(null);
  const [limiting, setLimiting] = useState<TeamMember | null>(null);
  useReturnFocus(leaving !== null || limiting !== null);
  const { members } = team;
  const manages = team.role !== 'member';
  return (
    <Card>
      <CardHeader
        title="Members"
        description={formatCount(members.length, 'person', 'people')}
        actions={action}
      />
      <Table caption="Members">
        <Thead>
          <Th>Person</Th>
          <Th>Role</Th>
          <Th>Monthly limit</Th>
          <Th>Joined</Th>
          {manages && (
            <Th>
              <span className="sr-only">Actions</span>
            </Th>
          )}
        </Thead>
        <Tbody>
          {members.slice(0, rows).map((member) => (
            <MemberRow
              key={member.user_id}
              team={team}
              member={member}
              onRemove={setLeaving}
              onLimit={setLimiting}
            />
          ))}
        </Tbody>
      </Table>
      {members.length > PAGE_ROWS && (
        <LoadMore
          hasMore={rows < members.length}
          loading={false}
          onLoadMore={() => setRows(rows + PAGE_ROWS)}
          shown={formatCount(Math.min(rows, members.length), 'member')}
        />
      )}
      {limiting && <MemberLimitDialog team={team} member={limiting} onClose={() => setLimiting(null)} />}
      <RemoveDialog team={team} member={leaving} onClose={() => setLeaving(null)} />
    </Card>
  );
}

interface MemberRowProps {
  team: TeamDetail;
  member: TeamMember;
  onRemove: (member: TeamMember) => void;
  onLimit: (member: TeamMember) => void;
}

/** One member. The role of the owner and of the viewer cannot be changed here. */
function MemberRow({ team, member, onRemove, onLimit }: MemberRowProps) {
  const manages = team.role !== 'member';
  const mayLimit = manages && (member.role !== 'owner' || team.role === 'owner');
  return (
    <Tr className="relative">
      <Td head className="wrap-anywhere max-sm:pr-10 sm:min-w-48">
        <Person member={member} />
      </Td>
      <Td label="Role" className="max-sm:items-center">
        {manages && member.role !== 'owner' && !member.is_viewer ? (
          <RoleSelect team={team} member={member} role={member.role} />
        ) : (
          <RoleBadge role={member.role} />
        )}
      </Td>
      <Td label="Monthly limit">
        <MemberLimit member={member} onEdit={mayLimit ? () => onLimit(member) : null} />
      </Td>
      <Td label="Joined">
        <DateTime at={member.joined_at} format="date" />
      </Td>
      {manages && (
        <Td className="max-sm:absolute max-sm:top-2 max-sm:right-3 sm:text-right">
          {member.role !== 'owner' && !member.is_viewer && (
            <IconButton label={`Remove ${personName(member)}`} onClick={() => onRemove(member)}>
              <UserMinus aria-hidden />
            </IconButton>
          )}
        </Td>
      )}
    </Tr>
  );
}

function Person({ member }: { member: TeamMember }) {
  return (
    <div className="min-w-0">
      <span className="flex flex-wrap items-center gap-x-2">
        <span className="min-w-0">{member.name ?? member.email}</span>
        {member.is_viewer && <Badge>You</Badge>}
      </span>
      {member.name && <p className="break-all font-normal text-muted text-xs">{member.email}</p>}
    </div>
  );
}

interface RoleSelectProps {
  team: TeamDetail;
  member: TeamMember;
  role: GivenRole;
}

/** Takes effect at once; on an error, restores the previous role and shows the reason. */
function RoleSelect({ team, member, role }: RoleSelectProps) {
  const queries = useQueryClient();
  const change = useMutation({
    mutationFn: (next: GivenRole) =>
      trpc.teams.changeRole.mutate({ slug: team.slug, user_id: member.user_id, role: next }),
    onSuccess: (_, next) => {
      toast.success(`${personName(member)} is now ${next === 'admin' ? 'an admin' : 'a member'}`);
    },
    onError: (error) => toast.error('Could not change the role', { description: problemText(error) }),
    onSettled: () => queries.invalidateQueries({ queryKey: queryKey.team(team.slug) }),
  });
  return (
    <Select
      aria-label={`Role of ${personName(member)}`}
      value={change.isPending ? change.variables : role}
      disabled={change.isPending}
      onChange={(event) => change.mutate(event.target.value === 'admin' ? 'admin' : 'member')}
      className="w-32"
    >
      <option value="member">{ROLE_LABEL.member}</option>
      <option value="admin">{ROLE_LABEL.admin}</option>
    </Select>
  );
}

interface RemoveDialogProps {
  team: TeamDetail;
  member: TeamMember | null;
  onClose: () => void;
}

function RemoveDialog({ team, member, onClose }: RemoveDialogProps) {
  const queries = useQueryClient();

  async function confirm() {
    if (!member) return;
    await withProblemText(trpc.teams.removeMember.mutate({ slug: team.slug, user_id: member.user_id }));
    toast.success(`Removed ${personName(member)}`);
    await queries.invalidateQueries({ queryKey: queryKey.teams });
  }

  return (
    <AlertDialog
      open={member !== null}
      onOpenChange={(open) => !open && onClose()}
      title={member && `Remove ${personName(member)} from ${team.name}?`}
      consequence={
        <ul className="list-disc space-y-1 pl-5">
          <li>
            Their agents can no longer charge the team: calls with{' '}
            <code className="font-mono text-ink">"billing": "{team.slug}"</code> are refused from the next
            request. Running calls still finish and are charged to the team.
          </li>
          <li>They no longer see the team, its balance or its members.</li>
          <li>Keys of the team keep working. Rotate those whose secret they know.</li>
          <li>Their own account and keys stay. They can be invited again.</li>
        </ul>
      }
      confirmLabel="Remove member"
      onConfirm={confirm}
    />
  );
}
