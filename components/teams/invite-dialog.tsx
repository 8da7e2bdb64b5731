'use client';

import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { SentInvitation, TeamDetail } from '@/server/identity/teams/schema';
import { DialogForm } from '../shared/dialog-form';
import { queryKey } from '../shared/queries';
import { ROLE_LABEL } from '../shared/role-badge';
import { trpc } from '../shared/trpc-provider';
import { useOpenOnce } from '../shared/use-open-once';
import { useSubmit } from '../shared/use-submit';
import { Button } from '../ui/button';
import { Dialog } from '../ui/dialog';
import { Field } from '../ui/field';
import { UserPlus } from '../ui/icons';
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
  const form = useSubmit({ email: 'Email', role: 'Role' }, async (read) => {
    const role = read('role') === 'admin' ? 'admin' : 'member';
    onSent(await trpc.teams.invite.mutate({ slug: team.slug, email: read('email'), role }));
    await queries.invalidateQueries({ queryKey: queryKey.team(team.slug) });
  });

  return (
    <DialogForm form={form} confirmLabel="Send invitation">
      <Field
        label="Email"
        hint="They must sign in with this address to join."
        error={form.fieldError('email')}
      >
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
        hint="Members can spend the balance. Admins can also buy credit and manage members, keys and limits."
        error={form.fieldError('role')}
      >
        <Select name="role" defaultValue="member">
          <option value="member">{ROLE_LABEL.member}</option>
          <option value="admin">{ROLE_LABEL.admin}</option>
        </Select>
      </Field>
    </DialogForm>
  );
}
