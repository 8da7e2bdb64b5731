'use client';

import type { ReactNode } from 'react';
import { type TriggeredOverlayProps, useTriggeredOverlay } from './use-triggered-overlay';

export interface AlertDialogProps extends TriggeredOverlayProps {
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
  const { Overlay, slot, state } = useTriggeredOverlay(loadPanel, { open, onOpenChange, trigger });
  return (
    <>
      {slot}
      {Overlay && <Overlay {...panel} {...state} />}
    </>
  );
}
