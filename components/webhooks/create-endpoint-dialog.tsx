'use client';

import { type RefObject, useState } from 'react';
import { trpc } from '../shared/trpc-provider';
import { Dialog } from '../ui/dialog';
import { EndpointForm, type EndpointValues } from './endpoint-form';
import { useRefreshWebhooks } from './queries';
import { SecretShown } from './secret-shown';

interface CreateEndpointDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** Takes the focus when the dialog closes. */
  opener: RefObject<HTMLButtonElement | null>;
}

/** Asks for URL and events, then shows the secret once. It exists only in this state. */
export function CreateEndpointDialog({ open, onOpenChange, opener }: CreateEndpointDialogProps) {
  const [secret, setSecret] = useState<string | null>(null);
  const refresh = useRefreshWebhooks();

  function change(next: boolean) {
    if (!next) {
      setSecret(null);
      // After the dialog has released the focus: it has no trigger of its own to restore.
      setTimeout(() => opener.current?.focus());
    }
    onOpenChange(next);
  }

  async function create({ url, description, events }: EndpointValues) {
    const created = await trpc.webhooks.create.mutate({ url, events, ...(description && { description }) });
    setSecret(created.secret);
    await refresh();
  }

  return (
    <Dialog
      open={open}
      onOpenChange={change}
      sticky={secret !== null}
      title={secret === null ? 'Create an endpoint' : 'Your signing secret'}
      description={secret === null ? 'Events of this account are sent to it.' : undefined}
    >
      {secret === null ? (
        <EndpointForm confirmLabel="Create endpoint" onSend={create} />
      ) : (
        <SecretShown secret={secret} />
      )}
    </Dialog>
  );
}
