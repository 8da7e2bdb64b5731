'use client';

import { type ReactNode, useEffect, useRef } from 'react';
import { Button } from '../ui/button';
import { DialogActions, DialogClose } from '../ui/dialog';
import type { Submit } from './use-submit';

interface DialogFormProps {
  form: Pick<Submit, 'busy' | 'formError' | 'onSubmit'>;
  /** The action, never "OK": "Create key". */
  confirmLabel: string;
  danger?: boolean | undefined;
  autoComplete?: 'off';
  /** The fields. */
  children: ReactNode;
}

/** The form of a dialog: its fields, the error of no field, and the buttons. */
export function DialogForm({ form, confirmLabel, danger, autoComplete, children }: DialogFormProps) {
  const error = useRef<HTMLParagraphElement>(null);
  // In a long form the buttons, which stay in view, would hide it.
  useEffect(() => {
    if (form.formError) error.current?.scrollIntoView({ block: 'nearest' });
  }, [form.formError]);
  return (
    <form noValidate autoComplete={autoComplete} onSubmit={form.onSubmit} className="flex flex-col gap-4">
      {children}
      <p ref={error} role="alert" className="text-danger text-sm empty:hidden">
        {form.formError}
      </p>
      <DialogActions>
        <DialogClose>
          <Button disabled={form.busy}>Cancel</Button>
        </DialogClose>
        <Button type="submit" variant={danger ? 'danger' : 'primary'} busy={form.busy}>
          {confirmLabel}
        </Button>
      </DialogActions>
    </form>
  );
}
