'use client';

import * as Primitive from 'radix-ui/alert-dialog';
import { type ReactNode, useState } from 'react';
import { Button } from './button';
import { DialogActions, overlayClass, panelClass } from './dialog';

interface AlertDialogProps {
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
  trigger?: ReactNode;
  /** The act and the thing by name: "Revoke “build agent”?" */
  title: ReactNode;
  /** What stops working, and whether it can be undone. */
  consequence: ReactNode;
  /** The act again, never "OK": "Revoke key". */
  confirmLabel: string;
  cancelLabel?: string;
  /** May be slow: the dialog stays open and busy until it resolves, and open with the error when it throws. */
  onConfirm: () => void | Promise<void>;
}

/** Asks once before something is destroyed. The focus starts on cancel. */
export function AlertDialog(props: AlertDialogProps) {
  const [ownOpen, setOwnOpen] = useState(false);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const open = props.open ?? ownOpen;

  function setOpen(next: boolean) {
    if (busy) return;
    setProblem(null);
    setOwnOpen(next);
    props.onOpenChange?.(next);
  }

  async function confirm() {
    setBusy(true);
    setProblem(null);
    try {
      await props.onConfirm();
      setOwnOpen(false);
      props.onOpenChange?.(false);
    } catch (error) {
      setProblem(error instanceof Error && error.message ? error.message : 'That did not work. Try again.');
    } finally {
      setBusy(false);
    }
  }

  return (
    <Primitive.Root open={open} onOpenChange={setOpen}>
      {props.trigger && <Primitive.Trigger asChild>{props.trigger}</Primitive.Trigger>}
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
