'use client';

import { Slot } from 'radix-ui/slot';
import { type ReactNode, useState } from 'react';
import { useLazyOverlay } from './lazy-overlay';

interface PopoverProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** The button that opens and closes it, and gets the focus back. */
  trigger: ReactNode;
  /** What is in it: read aloud. */
  label: string;
  side?: 'top' | 'bottom';
  align?: 'start' | 'center' | 'end';
  sideOffset?: number;
  className?: string;
  children: ReactNode;
}

const loadPanel = () => import('./popover-panel').then(({ PopoverPanel }) => PopoverPanel);

/** A panel beside its button, for links and fields. Its code comes when the button is about to be pressed. */
export function Popover({ trigger, children, ...panel }: PopoverProps) {
  const { open, onOpenChange } = panel;
  const [button, setButton] = useState<HTMLElement | null>(null);
  const { Overlay, intent } = useLazyOverlay(loadPanel, open);
  return (
    <>
      <Slot
        ref={setButton}
        aria-haspopup="dialog"
        aria-expanded={open}
        data-state={open ? 'open' : 'closed'}
        onClick={() => onOpenChange(!open)}
        {...intent}
      >
        {trigger}
      </Slot>
      {Overlay && (
        <Overlay {...panel} button={button}>
          {children}
        </Overlay>
      )}
    </>
  );
}
