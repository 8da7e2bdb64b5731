'use client';

import { type ReactNode, useState } from 'react';
import { Dialog, type DialogProps } from '../ui/dialog';
import { Field } from '../ui/field';
import { Input } from '../ui/input';
import { DialogForm } from './dialog-form';
import { InputProblem, useSubmit } from './use-submit';

interface RenameDialogProps extends Pick<DialogProps, 'open' | 'onOpenChange' | 'trigger'> {
  /** What is renamed: `key`. */
  noun: string;
  description: ReactNode;
  name: string;
  maxLength: number;
  rename: (name: string) => Promise<unknown>;
}

/** Asks for another name. An unchanged name closes the dialog without a request. */
export function RenameDialog({ open, onOpenChange, trigger, noun, description, ...form }: RenameDialogProps) {
  const [ownOpen, setOwnOpen] = useState(false);

  function change(next: boolean) {
    setOwnOpen(next);
    onOpenChange?.(next);
  }

  return (
    <Dialog
      open={open ?? ownOpen}
      onOpenChange={change}
      trigger={trigger}
      title={`Rename ${noun}`}
      description={description}
    >
      <RenameForm {...form} noun={noun} onDone={() => change(false)} />
    </Dialog>
  );
}

type RenameFormProps = Pick<RenameDialogProps, 'noun' | 'name' | 'maxLength' | 'rename'> & {
  onDone: () => void;
};

function RenameForm({ noun, name, maxLength, rename, onDone }: RenameFormProps) {
  const form = useSubmit({ name: 'Name' }, async (read) => {
    const typed = read('name');
    if (typed === '') throw new InputProblem('Name: enter at least one character.');
    if (typed !== name) await rename(typed);
    onDone();
  });
  return (
    <DialogForm form={form} confirmLabel={`Rename ${noun}`}>
      <Field label="Name" error={form.fieldError('name')}>
        <Input name="name" defaultValue={name} maxLength={maxLength} autoComplete="off" />
      </Field>
    </DialogForm>
  );
}
