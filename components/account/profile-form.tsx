'use client';

import { useRouter } from 'next/navigation';
import { MAX_PERSON_NAME_LENGTH } from '@/server/identity/accounts/limits';
import type { Viewer } from '@/server/identity/accounts/schema';
import { trpc } from '../shared/trpc-provider';
import { InputProblem, useSubmit } from '../shared/use-submit';
import { Button } from '../ui/button';
import { Field } from '../ui/field';
import { Input } from '../ui/input';
import { toast } from '../ui/toast';

export function ProfileForm({ viewer }: { viewer: Viewer }) {
  const router = useRouter();
  const form = useSubmit({ name: 'Name' }, async (read) => {
    const name = read('name');
    if (name === '') throw new InputProblem('Name: enter at least one character.');
    await trpc.auth.updateProfile.mutate({ name });
    toast.success('Profile saved');
    // The header, rendered on the server, shows the name too.
    router.refresh();
  });

  return (
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
      <p className="text-muted text-sm">You sign in with this email address. It cannot be changed here.</p>
      <div>
        <Button type="submit" variant="primary" busy={form.busy}>
          Save
        </Button>
      </div>
    </form>
  );
}
