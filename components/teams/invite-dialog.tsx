'use client';

import { useQueryClient } from '@tanstack/react-query';
import { UserPlus } from 'lucide-react';
import { useState } from 'react';
import type { SentInvitation, TeamDetail } from '@/server/identity/teams/schema';
import { fieldProblem, problemText } from '../shared/problem';
import { queryKey } from '../shared/queries';
import { ROLE_LABEL } from '../shared/role-badge';
import { trpc } from '../shared/trpc-provider';
import { useOpenOnce } from '../shared/use-open-once';
import { Button } from '../ui/button';
import { Dialog, DialogActions, DialogClose } from '../ui/dialog';
import { Field } from '../ui/field';
import { Input } from '../ui/input';
import { Select } from '../ui/select';
import { InvitationSent } from './invitation-sent';

/** Asks for address and role, then shows whether the email was sent, with the link. */
export function InviteDialog({ team }: { team: TeamDetail }) {
  const [open, setOpen] = useState(false);
  const [sent, setSent] = useState<SentInvitation | null>(null);
  useOpenOnce('invite', setOpen);

  function change(next: boolean) {
    if (!next) setSent(null);
    setOpen(next);
  }

  return (
    <Dialog
      open={open}
      onOpenChange={change}
      trigger={
        <Button>
          <UserPlus aria-hidden />
          Invite
        </Button>
      }
      title={sent ? 'Invited' : `Invite to ${team.name}`}
      description={sent ? sent.invitation.email : 'They get a link by email and decide whether to join.'}
    >
      {sent ? <InvitationSent sent={sent} /> : <InviteForm team={team} onSent={setSent} />}
    </Dialog>
  );
}

interface InviteFormProps {
  team: TeamDetail;
  onSent: (sent: SentInvitation) => void;
}

function InviteForm({ team, onSent }: InviteFormProps) {
  const queries = useQueryClient();
  const [problem, setProblem] = useState<{ email?: string; form?: string }>({});
  const [busy, setBusy] = useState(false);

  async function submit(event: React.FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (busy) return;
    const form = event.currentTarget;
    const data = new FormData(form);
    const role = data.get('role') === 'admin' ? 'admin' : 'member';
    setBusy(true);
    setProblem({});
    try {
      const email = String(data.get('email') ?? '');
      onSent(await trpc.teams.invite.mutate({ slug: team.slug, email, role }));
      await queries.invalidateQueries({ queryKey: queryKey.team(team.slug) });
    } catch (error) {
      setBusy(false);
      const field = fieldProblem(error, 'email');
      setProblem(field ? { email: `Email: ${field}` } : { form: problemText(error) });
      if (field) form.querySelector<HTMLInputElement>('[name=email]')?.focus();
    }
  }

  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-4">
      <Field label="Email" hint="They must sign in with this address to join." error={problem.email}>
        <Input
          type="email"
          name="email"
          inputMode="email"
          autoComplete="off"
          autoCapitalize="none"
          placeholder="ada@example.com"
        />
      </Field>
      <Field
        label="Role"
        hint="Members can spend the balance. Admins can also buy credit and manage members."
      >
        <Select name="role" defaultValue="member">
          <option value="member">{ROLE_LABEL.member}</option>
          <option value="admin">{ROLE_LABEL.admin}</option>
        </Select>
      </Field>
      <p role="alert" className="text-danger text-sm empty:hidden">
        {problem.form}
      </p>
      <DialogActions>
        <DialogClose>
          <Button disabled={busy}>Cancel</Button>
        </DialogClose>
        <Button type="submit" variant="primary" busy={busy}>
          Send invitation
        </Button>
      </DialogActions>
    </form>
  );
}
