'use client';

import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { TeamDetail } from '@/server/identity/teams/schema';
import { fieldProblem, problemText } from '../shared/problem';
import { queryKey } from '../shared/queries';
import { trpc } from '../shared/trpc-provider';
import { Button } from '../ui/button';
import { Dialog, DialogActions, DialogClose } from '../ui/dialog';
import { Field } from '../ui/field';
import { Input } from '../ui/input';
import { toast } from '../ui/toast';

const MAX_NAME_LENGTH = 60;

export function RenameTeamDialog({ team }: { team: TeamDetail }) {
  const [open, setOpen] = useState(false);
  return (
    <Dialog
      open={open}
      onOpenChange={setOpen}
      trigger={<Button>Rename</Button>}
      title="Rename team"
      description={`The slug stays ${team.slug}, so agents that charge the team are not affected.`}
    >
      <RenameForm team={team} onDone={() => setOpen(false)} />
    </Dialog>
  );
}

function RenameForm({ team, onDone }: { team: TeamDetail; onDone: () => void }) {
  const queries = useQueryClient();
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);

  async function submit(event: React.FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (busy) return;
    const name = String(new FormData(event.currentTarget).get('name') ?? '').trim();
    if (name === '') return setProblem('Name: enter at least one character.');
    if (name === team.name) return onDone();
    setBusy(true);
    try {
      await trpc.teams.rename.mutate({ slug: team.slug, name });
      onDone();
      toast.success(`Renamed to “${name}”`);
      await Promise.all(
        [queryKey.teams, queryKey.balance].map((key) => queries.invalidateQueries({ queryKey: key })),
      );
    } catch (error) {
      const field = fieldProblem(error, 'name');
      setProblem(field ? `Name: ${field}` : problemText(error));
    } finally {
      setBusy(false);
    }
  }

  return (
    <form noValidate onSubmit={submit}>
      <Field label="Name" error={problem}>
        <Input name="name" defaultValue={team.name} maxLength={MAX_NAME_LENGTH} autoComplete="off" />
      </Field>
      <DialogActions>
        <DialogClose>
          <Button disabled={busy}>Cancel</Button>
        </DialogClose>
        <Button type="submit" variant="primary" busy={busy}>
          Rename team
        </Button>
      </DialogActions>
    </form>
  );
}
