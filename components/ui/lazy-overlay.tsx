'use client';

import {
  type ComponentType,
  type Ref,
  useCallback,
  useEffect,
  useLayoutEffect,
  useState,
  useSyncExternalStore,
} from 'react';
import { loadPart } from './load-part';

type Load<P> = () => Promise<ComponentType<P>>;

/**
 * A component whose code is fetched when it is first rendered: for dialogs, drawers and panels that
 * a person opens. Unlike `next/dynamic`, a failure does not replace the page (`loadPart`).
 * @param load `() => import('./x-dialog').then((module) => module.XDialog)`
 * @param Placeholder shown while the code is fetched; nothing without it
 */
export function lazyOverlay<P extends object>(load: Load<P>, Placeholder?: ComponentType) {
  let Part: ComponentType<P> | null = null;
  const listeners = new Set<() => void>();
  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  const publish = (loaded: ComponentType<P>) => {
    Part = loaded;
    for (const listener of listeners) listener();
  };

  function LazyOverlay(props: P) {
    // The server renders the placeholder, and so does hydration.
    const Loaded = useSyncExternalStore(
      subscribe,
      () => Part,
      () => null,
    );
    useEffect(() => (Loaded ? undefined : loadPart(load, publish)), [Loaded]);
    if (Loaded) return <Loaded {...props} />;
    return Placeholder ? <Placeholder /> : null;
  }
  /** For hover and focus of what opens the overlay; a failure is reported when it opens. */
  const prefetch = () => void load().then(publish, () => undefined);
  return Object.assign(LazyOverlay, { prefetch });
}

/**
 * Loads the code of an overlay (dialog, menu, popover, drawer) when its trigger is hovered or
 * focused, or at the latest when it opens.
 * @param load a module-level constant: `() => import('./x-panel').then(({ XPanel }) => XPanel)`
 * @returns the component once loaded, and the handlers for its trigger
 */
export function useLazyOverlay<P>(load: Load<P>, open: boolean) {
  const [Overlay, setOverlay] = useState<ComponentType<P> | null>(null);
  const prefetch = useCallback(() => {
    load().then(
      (loaded) => setOverlay(() => loaded),
      () => undefined,
    );
  }, [load]);
  useEffect(() => (open ? loadPart(load, (loaded) => setOverlay(() => loaded)) : undefined), [load, open]);
  return { Overlay, intent: { onPointerEnter: prefetch, onFocus: prefetch } };
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
