'use client';

import { useQueryClient } from '@tanstack/react-query';
import type { Connection } from '@/server/identity/oauth/schema';
import { withProblemText } from '../shared/problem';
import { trpc } from '../shared/trpc-provider';
import { AlertDialog } from '../ui/alert-dialog';
import { toast } from '../ui/toast';
import { connectionsKey } from './queries';

interface DisconnectDialogProps {
  connection: Connection;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** Called when the list item, with the button that was pressed, is gone. */
  onGone: () => void;
}

export function DisconnectDialog({ connection, open, onOpenChange, onGone }: DisconnectDialogProps) {
  const queries = useQueryClient();

  async function confirm() {
    await withProblemText(trpc.oauth.disconnect.mutate({ id: connection.id }));
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
          <p>Its next request is refused. Running calls still finish and are charged.</p>
          <p className="mt-2">
            Its past calls stay in your usage. To reconnect it, start from the application.
          </p>
        </>
      }
      confirmLabel="Disconnect"
      onConfirm={confirm}
    />
  );
}
