'use client';

import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { type ReactNode, useState } from 'react';
import type { TeamDetail } from '@/server/identity/teams/schema';
import { withProblemText } from '../shared/problem';
import { queryKey } from '../shared/queries';
import { trpc } from '../shared/trpc-provider';
import { AlertDialog } from '../ui/alert-dialog';
import { Button } from '../ui/button';
import { Card, CardHeader } from '../ui/card';
import { Field } from '../ui/field';
import { formatCents } from '../ui/money';
import { Select } from '../ui/select';
import { toast } from '../ui/toast';
import { personName } from './person-name';

/** Leaving, transferring and deleting a team. */
export function TeamDanger({ team }: { team: TeamDetail }) {
  return (
    <Card className="border-danger/40">
      <CardHeader title={team.role === 'owner' ? 'Transfer or delete' : 'Leave'} />
      <div className="divide-y">
        {team.role === 'owner' ? (
          <>
            <TransferOwnership team={team} />
            <Delete team={team} />
          </>
        ) : (
          <Leave team={team} />
        )}
      </div>
    </Card>
  );
}

function Row({ text, children }: { text: ReactNode; children: ReactNode }) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-4 p-4 sm:p-5">
      <p className="max-w-xl text-muted text-sm">{text}</p>
      {children}
    </div>
  );
}

/** Runs an action that ends the viewer's membership, then returns to the list of teams. */
function useWayOut() {
  const queries = useQueryClient();
  const router = useRouter();
  return async (act: () => Promise<unknown>, done: string) => {
    await withProblemText(act());
    toast.success(done);
    router.push('/dashboard/team');
    await Promise.all([
      queries.invalidateQueries({ queryKey: queryKey.teams, exact: true }),
      queries.invalidateQueries({ queryKey: queryKey.balance }),
    ]);
  };
}

function Leave({ team }: { team: TeamDetail }) {
  const goOut = useWayOut();
  return (
    <Row text="Your agents can no longer charge the team, and you no longer see it.">
      <AlertDialog
        trigger={<Button variant="danger">Leave team</Button>}
        title={`Leave ${team.name}?`}
        consequence={
          <ul className="list-disc space-y-1 pl-5">
            <li>
              Calls from your keys with <code className="font-mono text-ink">"billing": "{team.slug}"</code>{' '}
              are refused from the next request. Running calls still finish and are charged to the team.
            </li>
            <li>Keys of the team stay with it and keep working.</li>
            <li>To rejoin, you need a new invitation.</li>
          </ul>
        }
        confirmLabel="Leave team"
        onConfirm={() => goOut(() => trpc.teams.leave.mutate({ slug: team.slug }), `You left ${team.name}`)}
      />
    </Row>
  );
}

function TransferOwnership({ team }: { team: TeamDetail }) {
  const queries = useQueryClient();
  const [newOwner, setHeir] = useState('');
  const others = team.members.filter((member) => !member.is_viewer);

  async function confirm() {
    const member = others.find(({ user_id }) => user_id === newOwner);
    if (!member) throw new Error('New owner: choose a member.');
    await withProblemText(trpc.teams.transferOwnership.mutate({ slug: team.slug, user_id: newOwner }));
    toast.success(`${personName(member)} now owns ${team.name}`);
    await queries.invalidateQueries({ queryKey: queryKey.teams });
  }

  return (
    <Row
      text={
        others.length === 0
          ? 'To transfer ownership, invite the new owner first.'
          : 'Another member becomes the owner. You stay as an admin.'
      }
    >
      <AlertDialog
        trigger={<Button disabled={others.length === 0}>Transfer ownership</Button>}
        onOpenChange={(open) => !open && setHeir('')}
        title={`Transfer ownership of ${team.name}?`}
        consequence={
          <div className="flex flex-col gap-4">
            <ul className="list-disc space-y-1 pl-5">
              <li>The balance, saved card and settings stay with the team. The new owner controls them.</li>
              <li>You become an admin. Only the new owner can transfer it back.</li>
            </ul>
            <Field label="New owner" className="text-ink">
              <Select value={newOwner} onChange={(event) => setHeir(event.target.value)}>
                <option value="">Choose a member</option>
                {others.map((member) => (
                  <option key={member.user_id} value={member.user_id}>
                    {member.name ? `${member.name} (${member.email})` : member.email}
                  </option>
                ))}
              </Select>
            </Field>
          </div>
        }
        confirmLabel="Transfer ownership"
        onConfirm={confirm}
      />
    </Row>
  );
}

/** Why the server would refuse to delete the team, as far as the page knows; null if it may be. */
function describeObstacle({ frozen, debt_usd, available_usd, held_usd }: TeamDetail): string | null {
  const left = available_usd + held_usd;
  if (frozen) return 'The operator has frozen the team. You can delete it once it is unfrozen.';
  if (debt_usd > 0) return `The team owes ${formatCents(debt_usd)}. You can delete it once the debt is paid.`;
  if (left > 0)
    return `The team still has ${formatCents(left, 'auto', true)}. You can delete it once the credit is spent; credit is not refundable.`;
  return null;
}

function Delete({ team }: { team: TeamDetail }) {
  const goOut = useWayOut();
  const obstacle = describeObstacle(team);
  return (
    <Row text={obstacle ?? 'The team is deleted for all members. Its transaction records are kept.'}>
      <AlertDialog
        trigger={
          <Button variant="danger" disabled={obstacle !== null}>
            Delete team
          </Button>
        }
        title={`Delete ${team.name}?`}
        consequence={
          <ul className="list-disc space-y-1 pl-5">
            <li>
              Every call with <code className="font-mono text-ink">"billing": "{team.slug}"</code> is refused
              from the next request.
            </li>
            <li>The keys of the team are revoked, and the files and results of their calls are deleted.</li>
            <li>
              {team.members.length > 1
                ? `${team.members.length - 1} other ${team.members.length > 2 ? 'people lose' : 'person loses'} the team, and open invitations end.`
                : 'Open invitations end.'}
            </li>
            <li>The slug is never reused. This cannot be undone.</li>
          </ul>
        }
        confirmLabel="Delete team"
        onConfirm={() => goOut(() => trpc.teams.remove.mutate({ slug: team.slug }), `Deleted ${team.name}`)}
      />
    </Row>
  );
}
