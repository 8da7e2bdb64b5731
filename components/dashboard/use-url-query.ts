'use client';

import { usePathname, useSearchParams } from 'next/navigation';
import { useCallback } from 'react';

/** What a view is about, as its URL says it: null and '' take a name out of it. */
export type QueryChange = Readonly<Record<string, string | null | undefined>>;

/**
 * The query of the URL and how to change it, so that every view can be shared and found again. Changing it asks the server
 * for nothing and makes no step in the history, unless told to `push` one.
 */
export function useUrlQuery(): [
  get: (name: string) => string | null,
  set: (change: QueryChange, how?: 'replace' | 'push') => void,
] {
  const params = useSearchParams();
  const pathname = usePathname();
  const get = useCallback((name: string) => params.get(name), [params]);
  const set = useCallback(
    (change: QueryChange, how: 'replace' | 'push' = 'replace') => {
      // Read from the window: two changes in one turn both count.
      const query = new URLSearchParams(window.location.search);
      for (const [name, value] of Object.entries(change)) {
        if (value === null || value === undefined || value === '') query.delete(name);
        else query.set(name, value);
      }
      const text = query.toString();
      const url = text ? `${pathname}?${text}` : pathname;
      if (how === 'push') window.history.pushState(null, '', url);
      else window.history.replaceState(null, '', url);
    },
    [pathname],
  );
  return [get, set];
}
