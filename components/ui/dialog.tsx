'use client';

import { Slot } from 'radix-ui/slot';
import { createContext, type ReactNode, use } from 'react';
import { type TriggeredOverlayProps, useTriggeredOverlay } from './use-triggered-overlay';

export interface DialogProps extends TriggeredOverlayProps {
  title: ReactNode;
  description?: ReactNode;
  /** Ignores Escape and presses outside: for a secret that is shown once. */
  sticky?: boolean;
  /** Focuses the panel, not its first button: for content to read before acting. */
  focusPanel?: boolean;
  className?: string | undefined;
  children: ReactNode;
}

const loadPanel = () => import('./dialog-panel').then(({ DialogPanel }) => DialogPanel);
const CloseContext = createContext<() => void>(() => undefined);

/**
 * A modal: traps the focus, restores it, and closes on Escape. Put buttons in `DialogActions`. Its
 * code is prefetched on hover and focus.
 */
export function Dialog({ open, onOpenChange, trigger, children, ...panel }: DialogProps) {
  const { Overlay, slot, state } = useTriggeredOverlay(loadPanel, { open, onOpenChange, trigger });
  return (
    <>
      {slot}
      {Overlay && (
        <CloseContext value={() => state.onOpenChange(false)}>
          <Overlay {...panel} {...state}>
            {children}
          </Overlay>
        </CloseContext>
      )}
    </>
  );
}

/** Wraps a button that closes the dialog. */
export function DialogClose({ children }: { children: ReactNode }) {
  return <Slot onClick={use(CloseContext)}>{children}</Slot>;
}

/** The row of buttons at the end, always in sight; the primary one last. */
export function DialogActions({ children }: { children: ReactNode }) {
  return <div className="dialog-actions">{children}</div>;
}
