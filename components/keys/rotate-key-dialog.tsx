'use client';

import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { ApiKey } from '@/server/identity/keys/schema';
import { DialogForm } from '../shared/dialog-form';
import { queryKey } from '../shared/queries';
import { trpc } from '../shared/trpc-provider';
import { useSubmit } from '../shared/use-submit';
import { Button } from '../ui/button';
import { Dialog, DialogActions, DialogClose } from '../ui/dialog';
import { Field } from '../ui/field';
import { SecretReveal } from '../ui/secret-reveal';
import { Select } from '../ui/select';

interface RotateKeyDialogProps {
  apiKey: ApiKey;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** Asks how long the current secret works on, then shows the new one once, in state only. */
export function RotateKeyDialog({ apiKey, open, onOpenChange }: RotateKeyDialogProps) {
  const [secret, setSecret] = useState<string | null>(null);
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      sticky={secret !== null}
      title={secret === null ? `Rotate “${apiKey.name}”` : 'The new secret'}
      description={
        secret === null ? 'The key gets a new secret. Its history, limits and rules stay.' : apiKey.name
      }
    >
      {secret === null ? <RotateForm apiKey={apiKey} onRotated={setSecret} /> : <Rotated secret={secret} />}
    </Dialog>
  );
}

interface RotateFormProps {
  apiKey: ApiKey;
  onRotated: (secret: string) => void;
}

function RotateForm({ apiKey, onRotated }: RotateFormProps) {
  const queries = useQueryClient();
  const form = useSubmit({ grace_seconds: 'Current secret' }, async (read) => {
    const rotated = await trpc.keys.rotate.mutate({
      id: apiKey.id,
      grace_seconds: Number(read('grace_seconds')),
    });
    // Over tRPC no response is replayed, so the secret is always present.
    if (typeof rotated.secret === 'string') onRotated(rotated.secret);
    await queries.invalidateQueries({ queryKey: queryKey.keys });
  });
  return (
    <DialogForm form={form} confirmLabel="Rotate key">
      <Field
        label="Current secret"
        hint={
          apiKey.previous_secret_expires_at === null
            ? 'How long it works on, so that you can replace it everywhere.'
            : 'How long it works on. The secret before it stops at once.'
        }
        error={form.fieldError('grace_seconds')}
      >
        <Select name="grace_seconds" defaultValue="86400">
          <option value="0">Stops at once</option>
          <option value="3600">Works for an hour</option>
          <option value="86400">Works for a day</option>
          <option value="604800">Works for a week</option>
        </Select>
      </Field>
    </DialogForm>
  );
}

function Rotated({ secret }: { secret: string }) {
  const top = useRef<HTMLDivElement>(null);
  // The form's button is gone: move the focus to the secret.
  useEffect(() => top.current?.focus({ preventScroll: true }), []);
  return (
    <div ref={top} tabIndex={-1} className="flex min-w-0 flex-col gap-4 focus:outline-none">
      <SecretReveal secret={secret} label="API key" />
      <DialogActions>
        <DialogClose>
          <Button variant="primary">Done</Button>
        </DialogClose>
      </DialogActions>
    </div>
  );
}
