'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Connection } from '@/server/identity/oauth/schema';
import { problemText } from '../shared/problem';
import { trpc } from '../shared/trpc-provider';
import { AlertDialog } from '../ui/alert-dialog';
import { toast } from '../ui/toast';
import { connectionsKey } from './queries';

interface DisconnectDialogProps {
  connection: Connection;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** Its line, with the button that was pressed, is gone. */
  onGone: () => void;
}

export function DisconnectDialog({ connection, open, onOpenChange, onGone }: DisconnectDialogProps) {
  const queries = useQueryClient();
  const disconnect = useMutation({ mutationFn: () => trpc.oauth.disconnect.mutate({ id: connection.id }) });

  async function confirm() {
    try {
      await disconnect.mutateAsync();
    } catch (error) {
      throw new Error(problemText(error));
    }
    toast.success(`Disconnected “${connection.name}”`);
    await queries.invalidateQueries({ queryKey: connectionsKey });
    onGone();
  }

  return (
    <AlertDialog
      open={open}
      onOpenChange={onOpenChange}
      title={`Disconnect “${connection.name}”?`}
      consequence={
        <>
          <p>Its next request is refused. Calls that run now still finish and are charged.</p>
          <p className="mt-2">
            What it called stays in your usage. To let it in again, connect it from there.
          </p>
        </>
      }
      confirmLabel="Disconnect"
      onConfirm={confirm}
    />
  );
}
