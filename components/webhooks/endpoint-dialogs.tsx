'use client';

import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { DEFAULT_OVERLAP_HOURS, MAX_OVERLAP_HOURS } from '@/server/notifications/webhooks/limits';
import type { WebhookEndpoint } from '@/server/notifications/webhooks/schema';
import { DialogForm } from '../shared/dialog-form';
import { withProblemText } from '../shared/problem';
import { trpc } from '../shared/trpc-provider';
import { InputProblem, useSubmit } from '../shared/use-submit';
import { AlertDialog } from '../ui/alert-dialog';
import { Dialog } from '../ui/dialog';
import { Field } from '../ui/field';
import { Input } from '../ui/input';
import { toast } from '../ui/toast';
import { EndpointForm } from './endpoint-form';
import { useForgetEndpoint, useRefreshWebhooks } from './queries';
import { SecretShown } from './secret-shown';

interface EndpointDialogProps {
  endpoint: WebhookEndpoint;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

export function EditEndpointDialog({ endpoint, open, onOpenChange }: EndpointDialogProps) {
  const refresh = useRefreshWebhooks();
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title="Edit the endpoint">
      <EndpointForm
        initial={endpoint}
        confirmLabel="Save changes"
        onSend={async ({ url, description, events }) => {
          await trpc.webhooks.update.mutate({ id: endpoint.id, url, description, events });
          toast.success('Endpoint saved');
          onOpenChange(false);
          await refresh();
        }}
      />
    </Dialog>
  );
}

/** Asks how long the previous secret also signs, then shows the new one once. */
export function RotateSecretDialog({ endpoint, open, onOpenChange }: EndpointDialogProps) {
  const [secret, setSecret] = useState<string | null>(null);
  const refresh = useRefreshWebhooks();
  const form = useSubmit({ overlap_hours: 'Hours' }, async (read) => {
    const hours = Number(read('overlap_hours'));
    if (!Number.isInteger(hours) || hours < 0 || hours > MAX_OVERLAP_HOURS)
      throw new InputProblem(`Enter whole hours from 0 to ${MAX_OVERLAP_HOURS}.`);
    const rotated = await trpc.webhooks.rotateSecret.mutate({ id: endpoint.id, overlap_hours: hours });
    setSecret(rotated.secret);
    await refresh();
  });
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      sticky={secret !== null}
      title={secret === null ? 'Rotate the secret?' : 'Your new signing secret'}
      description={
        secret === null ? 'Both secrets sign for a while, so that your receiver can change over.' : undefined
      }
    >
      {secret === null ? (
        <DialogForm form={form} confirmLabel="Rotate secret">
          <Field
            label="Hours in which the old secret also signs"
            hint="Use 0 if the old secret is compromised."
            error={form.fieldError('overlap_hours')}
          >
            <Input name="overlap_hours" inputMode="numeric" defaultValue={DEFAULT_OVERLAP_HOURS} />
          </Field>
        </DialogForm>
      ) : (
        <SecretShown secret={secret} />
      )}
    </Dialog>
  );
}

export function DeleteEndpointDialog({ endpoint, open, onOpenChange }: EndpointDialogProps) {
  const forget = useForgetEndpoint();
  const router = useRouter();
  return (
    <AlertDialog
      open={open}
      onOpenChange={onOpenChange}
      title="Delete the endpoint?"
      consequence={
        <p>
          Nothing more is sent to <span className="break-all text-ink">{endpoint.url}</span>, and its
          deliveries are deleted. This cannot be undone; to pause it, disable it instead.
        </p>
      }
      confirmLabel="Delete endpoint"
      onConfirm={async () => {
        await withProblemText(trpc.webhooks.remove.mutate({ id: endpoint.id }));
        toast.success('Endpoint deleted');
        router.push('/dashboard/webhooks');
        await forget(endpoint.id);
      }}
    />
  );
}
