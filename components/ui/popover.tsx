'use client';

import { Slot } from 'radix-ui/slot';
import { type ReactNode, useState } from 'react';
import { useLazyOverlay } from './lazy-overlay';

interface PopoverProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** The button that opens and closes the popover and regains the focus. */
  trigger: ReactNode;
  /** The accessible name. */
  label: string;
  side?: 'top' | 'bottom';
  align?: 'start' | 'center' | 'end';
  sideOffset?: number;
  className?: string;
  children: ReactNode;
}

const loadPanel = () => import('./popover-panel').then(({ PopoverPanel }) => PopoverPanel);

/** A panel next to its button, for links and fields. Its code is prefetched on hover and focus. */
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
