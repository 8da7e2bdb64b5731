'use client';

import { useRouter } from 'next/navigation';
import { useState } from 'react';
import type { Viewer } from '@/server/identity/accounts/schema';
import { fieldProblem, problemText } from '../shared/problem';
import { trpc } from '../shared/trpc-provider';
import { Button } from '../ui/button';
import { Field } from '../ui/field';
import { Input } from '../ui/input';
import { toast } from '../ui/toast';

const MAX_NAME_LENGTH = 100;

export function ProfileForm({ viewer }: { viewer: Viewer }) {
  const router = useRouter();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);

  async function submit(event: React.FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const name = String(new FormData(event.currentTarget).get('name') ?? '').trim();
    if (name === '') return setProblem('Name: enter at least one character.');
    setBusy(true);
    setProblem(null);
    try {
      await trpc.auth.updateProfile.mutate({ name });
      toast.success('Profile saved');
      // The header, rendered on the server, shows the name too.
      router.refresh();
    } catch (error) {
      const field = fieldProblem(error, 'name');
      setProblem(field ? `Name: ${field}` : problemText(error));
    } finally {
      setBusy(false);
    }
  }

  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-4">
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="Name" error={problem}>
          <Input
            name="name"
            defaultValue={viewer.name ?? ''}
            maxLength={MAX_NAME_LENGTH}
            autoComplete="name"
          />
        </Field>
        <Field label="Email">
          <Input value={viewer.email} readOnly className="bg-sunken text-muted" />
        </Field>
      </div>
      <p className="text-muted text-sm">You sign in with this email address. It cannot be changed here.</p>
      <div>
        <Button type="submit" variant="primary" busy={busy}>
          Save
        </Button>
      </div>
    </form>
  );
}
