'use client';

import { usePathname, useSearchParams } from 'next/navigation';
import { useCallback, useEffect, useState } from 'react';

/** A change to a view's query parameters: null and '' remove one. */
export type QueryChange = Readonly<Record<string, string | null | undefined>>;

/**
 * `replace` adds no history entry, `push` adds one, and `typed` is a replace that is visible at
 * once.
 */
type How = 'replace' | 'push' | 'typed';

/**
 * The URL's query and a setter, so that every view can be shared. The setter makes no server
 * request and adds no history entry, except with `push`.
 */
export function useUrlQuery(): [
  get: (name: string) => string | null,
  set: (change: QueryChange, how?: How) => void,
] {
  const params = useSearchParams();
  const pathname = usePathname();
  // The router updates in a transition, so a field bound to it would lose fast typing. Only for
  // fields: other updates need the transition, or a part that is still loading would hide the page.
  const [ahead, setAhead] = useState<URLSearchParams | null>(null);
  useEffect(() => {
    if (new URLSearchParams(window.location.search).toString() === params.toString()) setAhead(null);
  }, [params]);
  const current = ahead ?? params;
  const get = useCallback((name: string) => current.get(name), [current]);
  const set = useCallback(
    (change: QueryChange, how: How = 'replace') => {
      // Read from the window, so that two changes in the same tick both apply.
      const query = new URLSearchParams(window.location.search);
      for (const [name, value] of Object.entries(change)) {
        if (value === null || value === undefined || value === '') query.delete(name);
        else query.set(name, value);
      }
      const text = query.toString();
      const url = text ? `${pathname}?${text}` : pathname;
      if (how === 'push') window.history.pushState(null, '', url);
      else window.history.replaceState(null, '', url);
      setAhead(how === 'typed' ? query : null);
    },
    [pathname],
  );
  return [get, set];
}
