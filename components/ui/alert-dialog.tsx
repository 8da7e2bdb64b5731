'use client';

import { Slot } from 'radix-ui/slot';
import { type ReactNode, useState } from 'react';
import { useLazyOverlay } from './lazy-overlay';

export interface AlertDialogProps {
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
  trigger?: ReactNode;
  /** The action and its target: "Revoke “build agent”?" */
  title: ReactNode;
  /** What stops working, and whether it can be undone. */
  consequence: ReactNode;
  /** The action again, never "OK": "Revoke key". */
  confirmLabel: string;
  cancelLabel?: string;
  /**
   * May be async: the dialog stays open and busy until it resolves, and shows the error if it
   * rejects.
   */
  onConfirm: () => void | Promise<void>;
}

const loadPanel = () => import('./alert-dialog-panel').then(({ AlertDialogPanel }) => AlertDialogPanel);

/**
 * Confirms a destructive action. The focus starts on Cancel. Its code is prefetched on hover and
 * focus.
 */
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
