'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ApiKey } from '@/server/identity/keys/schema';
import { problemText } from '../shared/problem';
import { queryKey } from '../shared/queries';
import { trpc } from '../shared/trpc-provider';
import { Button } from '../ui/button';
import { Dialog, DialogActions, DialogClose } from '../ui/dialog';
import { Field } from '../ui/field';
import { Input } from '../ui/input';
import { toast } from '../ui/toast';

const MAX_NAME_LENGTH = 100;

interface KeyDialogProps {
  apiKey: ApiKey;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

export function RenameKeyDialog({ apiKey, open, onOpenChange }: KeyDialogProps) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title="Rename key" description={apiKey.key_prefix}>
      <RenameForm apiKey={apiKey} onDone={() => onOpenChange(false)} />
    </Dialog>
  );
}

function RenameForm({ apiKey, onDone }: { apiKey: ApiKey; onDone: () => void }) {
  const queries = useQueryClient();
  const [problem, setProblem] = useState<string | null>(null);
  const rename = useMutation({
    mutationFn: (name: string) => trpc.keys.rename.mutate({ id: apiKey.id, name }),
    onSuccess: () => queries.invalidateQueries({ queryKey: queryKey.keys }),
  });

  async function submit(event: React.FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const name = String(new FormData(event.currentTarget).get('name') ?? '').trim();
    if (name === '') {
      setProblem('Name: enter at least one character.');
      return;
    }
    if (name === apiKey.name) return onDone();
    const before = apiKey.name;
    try {
      await rename.mutateAsync(name);
      onDone();
      toast.success(`Renamed to “${name}”`, {
        undo: () => {
          rename
            .mutateAsync(before)
            .catch((error) => toast.error('Could not undo', { description: problemText(error) }));
        },
      });
    } catch (error) {
      setProblem(problemText(error));
    }
  }

  return (
    <form noValidate onSubmit={submit}>
      <Field label="Name" error={problem}>
        <Input name="name" defaultValue={apiKey.name} maxLength={MAX_NAME_LENGTH} autoComplete="off" />
      </Field>
      <DialogActions>
        <DialogClose>
          <Button disabled={rename.isPending}>Cancel</Button>
        </DialogClose>
        <Button type="submit" variant="primary" busy={rename.isPending}>
          Rename key
        </Button>
      </DialogActions>
    </form>
  );
}
