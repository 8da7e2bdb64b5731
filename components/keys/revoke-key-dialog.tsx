'use client';

import { useQueryClient } from '@tanstack/react-query';
import type { ApiKey } from '@/server/identity/keys/schema';
import { withProblemText } from '../shared/problem';
import { queryKey } from '../shared/queries';
import { trpc } from '../shared/trpc-provider';
import { AlertDialog } from '../ui/alert-dialog';
import { toast } from '../ui/toast';

interface RevokeKeyDialogProps {
  apiKey: ApiKey;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

export function RevokeKeyDialog({ apiKey, open, onOpenChange }: RevokeKeyDialogProps) {
  const queries = useQueryClient();

  async function confirm() {
    await withProblemText(trpc.keys.revoke.mutate({ id: apiKey.id }));
    toast.success(`Revoked “${apiKey.name}”`);
    await queries.invalidateQueries({ queryKey: queryKey.keys });
  }

  return (
    <AlertDialog
      open={open}
      onOpenChange={onOpenChange}
      title={`Revoke “${apiKey.name}”?`}
      consequence={
        <>
          <p>
            Anything using <code className="font-mono text-ink">{apiKey.key_prefix}</code> stops working from
            its next request. Running calls still finish and are charged.
          </p>
          <p className="mt-2">The key stays in your history. This cannot be undone.</p>
        </>
      }
      confirmLabel="Revoke key"
      onConfirm={confirm}
    />
  );
}
