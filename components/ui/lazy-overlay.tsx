'use client';

import { type ComponentType, type Ref, useCallback, useEffect, useLayoutEffect, useState } from 'react';

type Load<P> = () => Promise<ComponentType<P>>;

/**
 * Loads the code of an overlay (dialog, menu, popover, drawer) when its trigger is hovered or
 * focused, or at the latest when it opens.
 * @param load a module-level constant: `() => import('./x-panel').then(({ XPanel }) => XPanel)`
 * @returns the component once loaded, and the handlers for its trigger
 */
export function useLazyOverlay<P>(load: Load<P>, open: boolean) {
  const [Overlay, setOverlay] = useState<ComponentType<P> | null>(null);
  const fetch = useCallback(() => {
    load().then(
      (loaded) => setOverlay(() => loaded),
      (error: unknown) => {
        // Report a failed load only if the overlay is wanted: the error view then offers a retry.
        if (open)
          setOverlay(() => {
            throw error;
          });
      },
    );
  }, [load, open]);
  useEffect(() => {
    if (open) fetch();
  }, [open, fetch]);
  return { Overlay, intent: { onPointerEnter: fetch, onFocus: fetch } };
}

/**
 * Connects a button rendered before radix loaded as radix's trigger: for positioning, presses and
 * returning the focus. Use as the only child of `<Primitive.Trigger asChild>`.
 */
export function BorrowedTrigger({ element, ref }: { element: HTMLElement | null; ref?: Ref<HTMLElement> }) {
  useLayoutEffect(() => {
    if (typeof ref === 'function') ref(element);
    else if (ref) ref.current = element;
  }, [element, ref]);
  return null;
}
