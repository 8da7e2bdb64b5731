'use client';

import * as Primitive from 'radix-ui/alert-dialog';
import { useState } from 'react';
import type { AlertDialogProps } from './alert-dialog';
import { Button } from './button';
import { DialogActions } from './dialog';
import { BorrowedTrigger } from './lazy-overlay';
import { overlayClass, panelClass } from './panel-class';

interface AlertDialogPanelProps extends Omit<AlertDialogProps, 'trigger'> {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  button: HTMLElement | null;
}

/** The lazily loaded part of `AlertDialog`. */
export function AlertDialogPanel(props: AlertDialogPanelProps) {
  const { open, button } = props;
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);

  function setOpen(next: boolean) {
    if (busy) return;
    setProblem(null);
    props.onOpenChange(next);
  }

  async function confirm() {
    setBusy(true);
    setProblem(null);
    try {
      await props.onConfirm();
      props.onOpenChange(false);
    } catch (error) {
      setProblem(
        error instanceof Error && error.message ? error.message : 'Something went wrong. Try again.',
      );
    } finally {
      setBusy(false);
    }
  }

  return (
    <Primitive.Root open={open} onOpenChange={setOpen}>
      {button && (
        <Primitive.Trigger asChild>
          <BorrowedTrigger element={button} />
        </Primitive.Trigger>
      )}
      <Primitive.Portal>
        <Primitive.Overlay className={overlayClass} />
        <Primitive.Content className={panelClass}>
          <Primitive.Title className="font-semibold text-lg leading-6">{props.title}</Primitive.Title>
          <Primitive.Description asChild>
            <div className="mt-2 text-muted text-sm">{props.consequence}</div>
          </Primitive.Description>
          <p role="alert" className="mt-3 text-danger text-sm empty:hidden">
            {problem}
          </p>
          <DialogActions>
            <Primitive.Cancel asChild>
              <Button disabled={busy}>{props.cancelLabel ?? 'Cancel'}</Button>
            </Primitive.Cancel>
            <Button variant="danger" busy={busy} onClick={confirm}>
              {props.confirmLabel}
            </Button>
          </DialogActions>
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}
