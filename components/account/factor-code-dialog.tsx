'use client';

import { useState } from 'react';
import { DialogForm } from '../shared/dialog-form';
import { trpc } from '../shared/trpc-provider';
import { InputProblem, useSubmit } from '../shared/use-submit';
import { Dialog } from '../ui/dialog';
import { toast } from '../ui/toast';
import { CodeField } from './code-field';
import { RecoveryCodes } from './recovery-codes';

interface FactorCodeDialogProps {
  act: 'turn-off' | 'renew';
  onClose: () => void;
}

const WORDS = {
  'turn-off': {
    title: 'Turn off two-step verification?',
    description: 'Then anyone who can read your email can sign in.',
    confirm: 'Turn off',
  },
  renew: {
    title: 'Create new recovery codes?',
    description: 'The codes that you have now stop working.',
    confirm: 'Create codes',
  },
} as const;

/** Asks for a code, then turns the second factor off or shows new recovery codes. */
export function FactorCodeDialog({ act, onClose }: FactorCodeDialogProps) {
  const [codes, setCodes] = useState<string[] | null>(null);
  const { title, description, confirm } = WORDS[act];
  const form = useSubmit({ code: 'Code' }, async (read) => {
    const code = read('code');
    if (code === '') throw new InputProblem('Code: enter the code of your app, or a recovery code.');
    if (act === 'renew')
      return setCodes((await trpc.security.renewRecoveryCodes.mutate({ code })).recovery_codes);
    await trpc.security.disableFactor.mutate({ code });
    toast.success('Two-step verification is off');
    onClose();
  });
  return (
    <Dialog
      open
      sticky={codes !== null}
      onOpenChange={(open) => !open && onClose()}
      title={codes === null ? title : 'Save your recovery codes'}
      description={codes === null ? description : undefined}
    >
      {codes === null ? (
        <DialogForm form={form} confirmLabel={confirm} danger={act === 'turn-off'}>
          <CodeField error={form.fieldError('code')} />
        </DialogForm>
      ) : (
        <RecoveryCodes codes={codes} onDone={onClose} />
      )}
    </Dialog>
  );
}
