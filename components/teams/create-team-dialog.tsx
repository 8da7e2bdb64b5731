'use client';

import { useQueryClient } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { MAX_SLUG_LENGTH, slugProblem, suggestSlug } from '@/server/identity/teams/slug';
import { fieldProblem, problemText } from '../shared/problem';
import { queryKey } from '../shared/queries';
import { trpc } from '../shared/trpc-provider';
import { Button } from '../ui/button';
import { Dialog, DialogActions, DialogClose } from '../ui/dialog';
import { Field } from '../ui/field';
import { Input } from '../ui/input';
import { toast } from '../ui/toast';

const MAX_NAME_LENGTH = 60;

interface CreateTeamDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

export function CreateTeamDialog({ open, onOpenChange }: CreateTeamDialogProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      trigger={
        <Button variant="primary">
          <Plus aria-hidden />
          Create team
        </Button>
      }
      title="Create a team"
      description="You own the team. It starts with no credit: buy credit and invite people to use it."
    >
      <CreateForm />
    </Dialog>
  );
}

interface Problems {
  name?: string | null;
  slug?: string | null;
  form?: string | null;
}

function CreateForm() {
  const queries = useQueryClient();
  const router = useRouter();
  const [name, setName] = useState('');
  /** Null while the slug is derived from the name. */
  const [ownSlug, setOwnSlug] = useState<string | null>(null);
  const [problems, setProblems] = useState<Problems>({});
  const [busy, setBusy] = useState(false);
  const slug = ownSlug ?? suggestSlug(name);

  function refuse(form: HTMLFormElement, found: Problems) {
    setProblems(found);
    const field = found.name ? 'name' : found.slug ? 'slug' : null;
    if (field) form.querySelector<HTMLInputElement>(`[name=${field}]`)?.focus();
  }

  async function submit(event: React.FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (busy) return;
    const form = event.currentTarget;
    if (name.trim() === '') return refuse(form, { name: 'Name: enter at least one character.' });
    const wrong = slugProblem(slug);
    if (wrong) return refuse(form, { slug: `Slug: ${wrong}` });
    setBusy(true);
    setProblems({});
    try {
      const team = await trpc.teams.create.mutate({ name, slug });
      toast.success(`Created “${team.name}”`);
      router.push(`/dashboard/team/${team.slug}`);
      await Promise.all(
        [queryKey.teams, queryKey.balance].map((key) => queries.invalidateQueries({ queryKey: key })),
      );
    } catch (error) {
      setBusy(false);
      const fields = { name: fieldProblem(error, 'name'), slug: fieldProblem(error, 'slug') };
      refuse(form, {
        name: fields.name && `Name: ${fields.name}`,
        slug: fields.slug && `Slug: ${fields.slug}`,
        form: fields.name || fields.slug ? null : problemText(error),
      });
    }
  }

  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-4">
      <Field label="Name" error={problems.name}>
        <Input
          name="name"
          value={name}
          onChange={(event) => setName(event.target.value)}
          maxLength={MAX_NAME_LENGTH}
          autoComplete="off"
          placeholder="Acme Research"
        />
      </Field>
      <Field
        label="Slug"
        hint="Agents use it to charge the team. It cannot be changed later."
        error={problems.slug}
      >
        <Input
          name="slug"
          value={slug}
          onChange={(event) => setOwnSlug(event.target.value.toLowerCase() || null)}
          maxLength={MAX_SLUG_LENGTH}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          placeholder="acme-research"
          className="font-mono"
        />
      </Field>
      <p role="alert" className="text-danger text-sm empty:hidden">
        {problems.form}
      </p>
      <DialogActions>
        <DialogClose>
          <Button disabled={busy}>Cancel</Button>
        </DialogClose>
        <Button type="submit" variant="primary" busy={busy}>
          Create team
        </Button>
      </DialogActions>
    </form>
  );
}
