'use client';

import { useState } from 'react';
import { DialogForm } from '../shared/dialog-form';
import { trpc } from '../shared/trpc-provider';
import { InputProblem, useSubmit } from '../shared/use-submit';
import { Button } from '../ui/button';
import { Dialog, DialogActions } from '../ui/dialog';
import { Field } from '../ui/field';
import { Input } from '../ui/input';
import { CodeField } from './code-field';

interface ChangeEmailDialogProps {
  email: string;
  /** Whether a code is asked for. */
  factor: boolean;
  onClose: () => void;
}

/** Asks for the new address, then says where the link was sent. */
export function ChangeEmailDialog({ email, factor, onClose }: ChangeEmailDialogProps) {
  const [sentTo, setSentTo] = useState<string | null>(null);
  const form = useSubmit({ email: 'New email', code: 'Code' }, async (read) => {
    const address = read('email');
    if (address === '') throw new InputProblem('New email: enter an address.', 'email');
    await trpc.security.requestEmailChange.mutate({
      email: address,
      ...(factor && read('code') !== '' && { code: read('code') }),
    });
    setSentTo(address);
  });
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={sentTo === null ? 'Change email' : 'Confirm the new address'}
      description={sentTo === null ? `You now sign in as ${email}.` : undefined}
    >
      {sentTo === null ? (
        <DialogForm form={form} confirmLabel="Send the link">
          <p className="text-muted text-sm">
            We send a link to the new address, and a notice to the old one. Once you confirm, sign-ins with
            GitHub or Google are disconnected and other browsers are signed out.
          </p>
          <Field label="New email" error={form.fieldError('email')}>
            <Input name="email" type="email" autoComplete="email" inputMode="email" />
          </Field>
          {factor && <CodeField error={form.fieldError('code')} />}
        </DialogForm>
      ) : (
        <>
          <p role="status">
            Open the link that we sent to{' '}
            <span className="font-medium [overflow-wrap:anywhere]">{sentTo}</span>. Your address stays {email}{' '}
            until then. Stay signed in: signing out of this browser ends the request.
          </p>
          <DialogActions>
            <Button variant="primary" onClick={onClose}>
              Done
            </Button>
          </DialogActions>
        </>
      )}
    </Dialog>
  );
}
