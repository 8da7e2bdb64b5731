'use client';

import { Slot } from 'radix-ui/slot';
import { type ReactNode, useState } from 'react';
import { useLazyOverlay } from './lazy-overlay';

export interface AlertDialogProps {
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

const loadPanel = () => import('./alert-dialog-panel').then(({ AlertDialogPanel }) => AlertDialogPanel);

/** Asks once before something is destroyed. The focus starts on cancel. Its code comes before the press. */
export function AlertDialog({ open, onOpenChange, trigger, ...panel }: AlertDialogProps) {
  const [ownOpen, setOwnOpen] = useState(false);
  const [button, setButton] = useState<HTMLElement | null>(null);
  const shown = open ?? ownOpen;
  const { Overlay, intent } = useLazyOverlay(loadPanel, shown);

  function change(next: boolean) {
    setOwnOpen(next);
    onOpenChange?.(next);
  }

  return (
    <>
      {trigger && (
        <Slot
          ref={setButton}
          aria-haspopup="dialog"
          aria-expanded={shown}
          data-state={shown ? 'open' : 'closed'}
          onClick={() => change(true)}
          {...intent}
        >
          {trigger}
        </Slot>
      )}
      {Overlay && <Overlay {...panel} open={shown} onOpenChange={change} button={button} />}
    </>
  );
}
