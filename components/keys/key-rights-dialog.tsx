'use client';

import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ApiKey } from '@/server/identity/keys/schema';
import { ManagesAccount } from '../shared/manages-account';
import { queryKey } from '../shared/queries';
import { trpc } from '../shared/trpc-provider';
import { useSubmit } from '../shared/use-submit';
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
  const form = useSubmit({}, async () => {
    await trpc.keys.setManagesAccount.mutate({ id: apiKey.id, manages_account: manages });
    await queries.invalidateQueries({ queryKey: queryKey.keys });
    onDone();
    toast.success(`“${apiKey.name}” ${manages ? 'can manage' : 'cannot manage'} the account`);
  });
  return (
    <form noValidate onSubmit={form.onSubmit}>
      <ManagesAccount checked={manages} onChange={setManages} />
      {form.formError && (
        <Notice tone="danger" live title="Could not save" className="mt-4">
          {form.formError}
        </Notice>
      )}
      <DialogActions>
        <DialogClose>
          <Button disabled={form.busy}>Cancel</Button>
        </DialogClose>
        <Button type="submit" variant="primary" busy={form.busy}>
          Save permissions
        </Button>
      </DialogActions>
    </form>
  );
}
