'use client';

import { Slot } from 'radix-ui/slot';
import { createContext, type ReactNode, use, useState } from 'react';
import { useLazyOverlay } from './lazy-overlay';

export interface DialogProps {
  open?: boolean | undefined;
  onOpenChange?: ((open: boolean) => void) | undefined;
  /** The button that opens the dialog and regains the focus. Omit for a controlled dialog. */
  trigger?: ReactNode;
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
      {Overlay && (
        <CloseContext value={() => change(false)}>
          <Overlay {...panel} open={shown} onOpenChange={change} button={button}>
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
