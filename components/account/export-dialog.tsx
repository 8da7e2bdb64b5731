'use client';

import { DialogForm } from '../shared/dialog-form';
import { trpc } from '../shared/trpc-provider';
import { InputProblem, useSubmit } from '../shared/use-submit';
import { Dialog } from '../ui/dialog';
import { CodeField } from './code-field';

/** Asks for a code, then downloads the person's data. */
export function ExportDialog({ onClose }: { onClose: () => void }) {
  const form = useSubmit({ code: 'Code' }, async (read) => {
    const code = read('code');
    if (code === '') throw new InputProblem('Code: enter the code of your app, or a recovery code.');
    window.location.assign((await trpc.security.startExport.mutate({ code })).path);
    onClose();
  });
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title="Export your data">
      <DialogForm form={form} confirmLabel="Download">
        <CodeField error={form.fieldError('code')} />
      </DialogForm>
    </Dialog>
  );
}
