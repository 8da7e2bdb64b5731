'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ApiKey } from '@/server/identity/keys/schema';
import { ManagesAccount } from '../shared/manages-account';
import { problemText } from '../shared/problem';
import { queryKey } from '../shared/queries';
import { trpc } from '../shared/trpc-provider';
import { Button } from '../ui/button';
import { Dialog, DialogActions, DialogClose } from '../ui/dialog';
import { Notice } from '../ui/notice';
import { toast } from '../ui/toast';

interface KeyRightsDialogProps {
  apiKey: ApiKey;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

export function KeyRightsDialog({ apiKey, open, onOpenChange }: KeyRightsDialogProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={`Permissions: ${apiKey.name}`}
      description="Changes apply from the key’s next request."
    >
      <RightsForm apiKey={apiKey} onDone={() => onOpenChange(false)} />
    </Dialog>
  );
}

function RightsForm({ apiKey, onDone }: { apiKey: ApiKey; onDone: () => void }) {
  const queries = useQueryClient();
  const [manages, setManages] = useState(apiKey.manages_account);
  const [problem, setProblem] = useState<string | null>(null);
  const save = useMutation({
    mutationFn: () => trpc.keys.setManagesAccount.mutate({ id: apiKey.id, manages_account: manages }),
    onSuccess: () => queries.invalidateQueries({ queryKey: queryKey.keys }),
  });

  async function submit(event: React.FormEvent<HTMLFormElement>) {
    event.preventDefault();
    try {
      await save.mutateAsync();
      onDone();
      toast.success(`“${apiKey.name}” ${manages ? 'can manage' : 'cannot manage'} the account`);
    } catch (error) {
      setProblem(problemText(error));
    }
  }

  return (
    <form noValidate onSubmit={submit}>
      <ManagesAccount checked={manages} onChange={setManages} />
      {problem && (
        <Notice tone="danger" live title="Could not save" className="mt-4">
          {problem}
        </Notice>
      )}
      <DialogActions>
        <DialogClose>
          <Button disabled={save.isPending}>Cancel</Button>
        </DialogClose>
        <Button type="submit" variant="primary" busy={save.isPending}>
          Save permissions
        </Button>
      </DialogActions>
    </form>
  );
}
