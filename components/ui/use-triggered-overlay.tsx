'use client';

import { Slot } from 'radix-ui/slot';
import { type ComponentType, type ReactNode, useState } from 'react';
import { useLazyOverlay } from './lazy-overlay';

export interface TriggeredOverlayProps {
  open?: boolean | undefined;
  onOpenChange?: ((open: boolean) => void) | undefined;
  /** The button that opens the overlay and regains the focus. Omit for a controlled overlay. */
  trigger?: ReactNode;
}

/**
 * The state of a dialog that a button opens, or its parent.
 * @param load as for useLazyOverlay
 * @returns the dialog once loaded, what it needs, and the button
 */
export function useTriggeredOverlay<P>(
  load: () => Promise<ComponentType<P>>,
  { open, onOpenChange, trigger }: TriggeredOverlayProps,
) {
  const [ownOpen, setOwnOpen] = useState(false);
  const [button, setButton] = useState<HTMLElement | null>(null);
  const shown = open ?? ownOpen;
  const { Overlay, intent } = useLazyOverlay(load, shown);

  function change(next: boolean) {
    setOwnOpen(next);
    onOpenChange?.(next);
  }

  const slot = trigger && (
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
  );
  return { Overlay, slot, state: { open: shown, onOpenChange: change, button } };
}
