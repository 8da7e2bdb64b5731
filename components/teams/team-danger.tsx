'use client';

import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { type ReactNode, useState } from 'react';
import type { TeamDetail } from '@/server/identity/teams/schema';
import { trpc } from '../shared/trpc-provider';
import { AlertDialog } from '../ui/alert-dialog';
import { Button } from '../ui/button';
import { Card, CardHeader } from '../ui/card';
import { Field } from '../ui/field';
import { formatMoney } from '../ui/money';
import { Select } from '../ui/select';
import { toast } from '../ui/toast';
import { personName } from '../shared/person-name';
import { problemText } from '../shared/problem';
import { queryKey } from '../shared/queries';

/** The ways out of a team: leave it, hand it over, delete it. */
export function TeamDanger({ team }: { team: TeamDetail }) {
  return (
    <Card className="border-danger/40">
      <CardHeader title={team.role === 'owner' ? 'Hand over or delete' : 'Leave'} />
      <div className="divide-y">
        {team.role === 'owner' ? (
          <>
            <HandOver team={team} />
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

/** Runs an act that ends one's own part in the team, then goes back to the list. */
function useWayOut() {
  const queries = useQueryClient();
  const router = useRouter();
  return async (act: () => Promise<unknown>, done: string) => {
    try {
      await act();
    } catch (error) {
      throw new Error(problemText(error));
    }
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
              Calls of your keys with <code className="font-mono text-ink">"billing": "{team.slug}"</code> are
              refused from the next request on. Calls that run now still finish and are charged to the team.
            </li>
            <li>To come back you need a new invitation.</li>
          </ul>
        }
        confirmLabel="Leave team"
        onConfirm={() => goOut(() => trpc.teams.leave.mutate({ slug: team.slug }), `You left ${team.name}`)}
      />
    </Row>
  );
}

function HandOver({ team }: { team: TeamDetail }) {
  const queries = useQueryClient();
  const [heir, setHeir] = useState('');
  const others = team.members.filter((member) => !member.is_viewer);

  async function confirm() {
    const member = others.find(({ user_id }) => user_id === heir);
    if (!member) throw new Error('New owner: choose a member.');
    try {
      await trpc.teams.transferOwnership.mutate({ slug: team.slug, user_id: heir });
    } catch (error) {
      throw new Error(problemText(error));
    }
    toast.success(`${personName(member)} owns ${team.name} now`);
    await queries.invalidateQueries({ queryKey: queryKey.teams });
  }

  return (
    <Row
      text={
        others.length === 0
          ? 'To hand the team over, invite the new owner first.'
          : 'Someone else in the team becomes its owner. You stay as an admin.'
      }
    >
      <AlertDialog
        trigger={<Button disabled={others.length === 0}>Hand over</Button>}
        onOpenChange={(open) => !open && setHeir('')}
        title={`Hand ${team.name} over?`}
        consequence={
          <div className="flex flex-col gap-4">
            <ul className="list-disc space-y-1 pl-5">
              <li>
                Balance, saved card and settings stay with the team, and are the new owner’s to decide on.
              </li>
              <li>You become an admin. Only the new owner can hand it back.</li>
            </ul>
            <Field label="New owner" className="text-ink">
              <Select value={heir} onChange={(event) => setHeir(event.target.value)}>
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
        confirmLabel="Hand over"
        onConfirm={confirm}
      />
    </Row>
  );
}

function Delete({ team }: { team: TeamDetail }) {
  const goOut = useWayOut();
  const left = team.available_usd + team.held_usd;
  return (
    <Row
      text={
        left > 0
          ? `The team still has ${formatMoney(left)}. It can be deleted once that is spent; credit is not paid out.`
          : 'It is gone for everyone in it. Its history and its books stay.'
      }
    >
      <AlertDialog
        trigger={<Button variant="danger">Delete team</Button>}
        title={`Delete ${team.name}?`}
        consequence={
          <ul className="list-disc space-y-1 pl-5">
            <li>
              Every call with <code className="font-mono text-ink">"billing": "{team.slug}"</code> is refused
              from the next request on, whoever makes it.
            </li>
            <li>
              {team.members.length > 1
                ? `${team.members.length - 1} other ${team.members.length > 2 ? 'people lose' : 'person loses'} the team, and open invitations end.`
                : 'Open invitations end.'}
            </li>
            <li>The slug is never given to another team. This cannot be undone.</li>
          </ul>
        }
        confirmLabel="Delete team"
        onConfirm={() => goOut(() => trpc.teams.remove.mutate({ slug: team.slug }), `Deleted ${team.name}`)}
      />
    </Row>
  );
}
