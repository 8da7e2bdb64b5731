'use client';

import { type ComponentType, lazy, Suspense } from 'react';
import { loadPart } from './load-part';

/**
 * A part of a page that is not always there, with its own script. The server renders it. If the
 * script cannot be fetched, only the part is missing, and `PartProblem` offers to try again.
 * @param load `() => import('./x-list').then((module) => module.XList)`
 */
export function lazyPart<P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  const Part = lazy(
    () =>
      new Promise<{ default: ComponentType<P> }>((resolve) => {
        loadPart(load, (loaded) => resolve({ default: loaded }));
      }),
  );
  // biome-ignore lint/correctness/noComponentHookFactories: called once per part, at the top of a module
  function LazyPart(props: P) {
    return (
      <Suspense fallback={null}>
        <Part {...props} />
      </Suspense>
    );
  }
  return LazyPart;
}
