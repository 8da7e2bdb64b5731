'use client';

import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { MAX_PERSON_NAME_LENGTH } from '@/server/identity/accounts/limits';
import type { Viewer } from '@/server/identity/accounts/schema';
import { trpc } from '../shared/trpc-provider';
import { useReturnFocus } from '../shared/use-return-focus';
import { InputProblem, useSubmit } from '../shared/use-submit';
import { Button } from '../ui/button';
import { Field } from '../ui/field';
import { Input } from '../ui/input';
import { lazyOverlay } from '../ui/lazy-overlay';
import { toast } from '../ui/toast';

const ChangeEmailDialog = lazyOverlay(() =>
  import('./change-email-dialog').then((module) => module.ChangeEmailDialog),
);

interface ProfileFormProps {
  viewer: Viewer;
  /** Whether a code is asked for. */
  factor: boolean;
}

export function ProfileForm({ viewer, factor }: ProfileFormProps) {
  const router = useRouter();
  const [changing, setChanging] = useState(false);
  useReturnFocus(changing);
  const form = useSubmit({ name: 'Name' }, async (read) => {
    const name = read('name');
    if (name === '') throw new InputProblem('Name: enter at least one character.');
    await trpc.auth.updateProfile.mutate({ name });
    toast.success('Profile saved');
    // The header, rendered on the server, shows the name too.
    router.refresh();
  });

  return (
    <>
      <form noValidate onSubmit={form.onSubmit} className="flex flex-col gap-4">
        <div className="grid gap-4 sm:grid-cols-2">
          <Field label="Name" error={form.fieldError('name')}>
            <Input
              name="name"
              defaultValue={viewer.name ?? ''}
              maxLength={MAX_PERSON_NAME_LENGTH}
              autoComplete="name"
            />
          </Field>
          <Field label="Email">
            <Input value={viewer.email} readOnly className="bg-sunken text-muted" />
          </Field>
        </div>
        <div className="flex flex-wrap justify-between gap-3">
          <Button type="submit" variant="primary" busy={form.busy}>
            Save
          </Button>
          <Button onClick={() => setChanging(true)}>Change email</Button>
        </div>
      </form>
      {changing && (
        <ChangeEmailDialog email={viewer.email} factor={factor} onClose={() => setChanging(false)} />
      )}
    </>
  );
}
