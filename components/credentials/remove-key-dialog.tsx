'use client';

import { useQueryClient } from '@tanstack/react-query';
import type { AccountRequirement } from '@/server/catalog/credentials/schema';
import { problemText } from '../shared/problem';
import { trpc } from '../shared/trpc-provider';
import { AlertDialog } from '../ui/alert-dialog';
import { toast } from '../ui/toast';
import { refreshSlots } from './queries';

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
      await trpc.requirements.remove.mutate({ name: slot.name, label });
    } catch (error) {
      throw new Error(problemText(error));
    } finally {
      await refreshSlots(queries);
    }
    toast.success(`Removed “${label}” of ${slot.displayName}`);
  }

  return (
    <AlertDialog
      open={open}
      onOpenChange={onOpenChange}
      title={`Remove “${label}” of ${slot.displayName}?`}
      consequence={
        <>
          <p>
            {!next
              ? 'Calls go through the gateway’s own key again, at the full price; where it has none they are refused.'
              : entry?.is_default
                ? `Calls use “${next.label}” from now on.`
                : 'Calls go on with the default.'}{' '}
            Calls that run now finish with it.
          </p>
          <p className="mt-2">
            It is forgotten here and cannot be brought back. At {slot.displayName} it stays valid: revoke it
            there if nobody should have it.
          </p>
        </>
      }
      confirmLabel="Remove key"
      onConfirm={confirm}
    />
  );
}
