'use client';

import { Slot } from 'radix-ui/slot';
import { createContext, type ReactNode, use, useState } from 'react';
import { useLazyOverlay } from './lazy-overlay';

export interface DialogProps {
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
  /** The button that opens it; gets the focus back. Leave out for a controlled dialog. */
  trigger?: ReactNode;
  title: ReactNode;
  description?: ReactNode;
  /** Keeps Escape and a press outside from closing it: for a secret that is shown once. */
  sticky?: boolean;
  /** The focus starts on the panel, not on its first button: for what is read before anything is pressed. */
  focusPanel?: boolean;
  className?: string;
  children: ReactNode;
}

const loadPanel = () => import('./dialog-panel').then(({ DialogPanel }) => DialogPanel);
const CloseContext = createContext<() => void>(() => undefined);

/**
 * A modal: keeps the focus inside, gives it back, closes on Escape. Put the buttons in `DialogActions`. Its code comes
 * when the trigger is about to be pressed.
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

/** Wraps one button: pressing it closes the dialog. */
export function DialogClose({ children }: { children: ReactNode }) {
  return <Slot onClick={use(CloseContext)}>{children}</Slot>;
}

/** The row of buttons at the end; the main one last. */
export function DialogActions({ children }: { children: ReactNode }) {
  return <div className="mt-6 flex flex-col-reverse gap-2 sm:flex-row sm:justify-end">{children}</div>;
}
