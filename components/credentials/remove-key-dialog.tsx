'use client';

import { useQueryClient } from '@tanstack/react-query';
import type { AccountRequirement } from '@/server/catalog/credentials/schema';
import { withProblemText } from '../shared/problem';
import { trpc } from '../shared/trpc-provider';
import { AlertDialog } from '../ui/alert-dialog';
import { toast } from '../ui/toast';
import { refreshProviders } from './queries';

interface RemoveKeyDialogProps {
  slot: AccountRequirement;
  label: string;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

export function RemoveKeyDialog({ slot, label, open, onOpenChange }: RemoveKeyDialogProps) {
  const queries = useQueryClient();
  const entry = slot.entries.find((known) => known.label === label);
  const [next] = slot.entries.filter((known) => known.label !== label);

  async function confirm() {
    try {
      await withProblemText(trpc.requirements.remove.mutate({ name: slot.name, label }));
    } finally {
      await refreshProviders(queries);
    }
    toast.success(`Removed “${label}” for ${slot.displayName}`);
  }

  return (
    <AlertDialog
      open={open}
      onOpenChange={onOpenChange}
      title={`Remove “${label}” for ${slot.displayName}?`}
      consequence={
        <>
          <p>
            {!next
              ? 'Calls use the gateway’s key again, at the full price. If it has none, they are refused.'
              : entry?.is_default
                ? `Calls will use “${next.label}”.`
                : 'Calls keep using the default.'}{' '}
            Running calls finish with it.
          </p>
          <p className="mt-2">
            It is deleted here and can’t be restored. It stays valid at {slot.displayName}: revoke it there if
            it should stop working.
          </p>
        </>
      }
      confirmLabel="Remove key"
      onConfirm={confirm}
    />
  );
}
