'use client';

import { type ComponentType, type Ref, useCallback, useEffect, useLayoutEffect, useState } from 'react';

type Load<P> = () => Promise<ComponentType<P>>;

/**
 * What opens on a press (dialog, menu, popover, drawer) without its code in the page: loaded when the pointer or the
 * focus comes near what opens it, at the latest when it opens.
 * @param load a constant of the module: `() => import('./x-panel').then(({ XPanel }) => XPanel)`
 * @returns the component once it is there, and the handlers for what opens it
 */
export function useLazyOverlay<P>(load: Load<P>, open: boolean) {
  const [Overlay, setOverlay] = useState<ComponentType<P> | null>(null);
  const fetch = useCallback(() => {
    load().then(
      (loaded) => setOverlay(() => loaded),
      (error: unknown) => {
        // Only who wants it open is told that it cannot be loaded: by the page's own error view, with its retry.
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
 * Takes the place of radix' own trigger around a button that was there before radix: radix then finds it for the
 * position, for presses on it and for the focus afterwards. As the only child of `<Primitive.Trigger asChild>`.
 */
export function BorrowedTrigger({ element, ref }: { element: HTMLElement | null; ref?: Ref<HTMLElement> }) {
  useLayoutEffect(() => {
    if (typeof ref === 'function') ref(element);
    else if (ref) ref.current = element;
  }, [element, ref]);
  return null;
}
