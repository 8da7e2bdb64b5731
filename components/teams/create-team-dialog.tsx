'use client';

import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { MAX_SLUG_LENGTH, MAX_TEAM_NAME_LENGTH } from '@/server/identity/teams/limits';
import { slugProblem, suggestSlug } from '@/server/identity/teams/slug';
import { DialogForm } from '../shared/dialog-form';
import { queryKey } from '../shared/queries';
import { trpc } from '../shared/trpc-provider';
import { InputProblem, useSubmit } from '../shared/use-submit';
import { Button } from '../ui/button';
import { Dialog } from '../ui/dialog';
import { Field } from '../ui/field';
import { Plus } from '../ui/icons';
import { Input } from '../ui/input';
import { toast } from '../ui/toast';

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

function CreateForm() {
  const queries = useQueryClient();
  const router = useRouter();
  const [name, setName] = useState('');
  /** Null while the slug is derived from the name. */
  const [ownSlug, setOwnSlug] = useState<string | null>(null);
  /** Stays true until the page of the new team replaces this one. */
  const [created, setCreated] = useState(false);
  const slug = ownSlug ?? suggestSlug(name);

  const form = useSubmit({ name: 'Name', slug: 'Slug' }, async () => {
    if (name.trim() === '') throw new InputProblem('Name: enter at least one character.', 'name');
    const wrong = slugProblem(slug);
    if (wrong) throw new InputProblem(`Slug: ${wrong}`, 'slug');
    const team = await trpc.teams.create.mutate({ name, slug });
    setCreated(true);
    toast.success(`Created “${team.name}”`);
    router.push(`/dashboard/team/${team.slug}`);
    await Promise.all(
      [queryKey.teams, queryKey.balance].map((key) => queries.invalidateQueries({ queryKey: key })),
    );
  });

  return (
    <DialogForm form={{ ...form, busy: form.busy || created }} confirmLabel="Create team">
      <Field label="Name" error={form.fieldError('name')}>
        <Input
          name="name"
          value={name}
          onChange={(event) => setName(event.target.value)}
          maxLength={MAX_TEAM_NAME_LENGTH}
          autoComplete="off"
          placeholder="Acme Research"
        />
      </Field>
      <Field
        label="Slug"
        hint="Agents use it to charge the team. It cannot be changed later."
        error={form.fieldError('slug')}
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
    </DialogForm>
  );
}
