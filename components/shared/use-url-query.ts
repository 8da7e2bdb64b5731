'use client';

import { usePathname, useSearchParams } from 'next/navigation';
import { useCallback, useEffect, useState } from 'react';

/** What a view is about, as its URL says it: null and '' take a name out of it. */
export type QueryChange = Readonly<Record<string, string | null | undefined>>;

/** `replace` makes no step in the history; `push` makes one; `typed` is a replace that is seen with the very next letter. */
type How = 'replace' | 'push' | 'typed';

/**
 * The query of the URL and how to change it, so that every view can be shared and found again. Changing it asks the server
 * for nothing and makes no step in the history, unless told to `push` one.
 */
export function useUrlQuery(): [
  get: (name: string) => string | null,
  set: (change: QueryChange, how?: How) => void,
] {
  const params = useSearchParams();
  const pathname = usePathname();
  // The router follows the window in a transition: a field that waited for it would lose what is typed faster than that.
  // Only for fields: what opens a part of the page that is still to be loaded would hide the page without a transition.
  const [ahead, setAhead] = useState<URLSearchParams | null>(null);
  useEffect(() => {
    if (new URLSearchParams(window.location.search).toString() === params.toString()) setAhead(null);
  }, [params]);
  const current = ahead ?? params;
  const get = useCallback((name: string) => current.get(name), [current]);
  const set = useCallback(
    (change: QueryChange, how: How = 'replace') => {
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
      setAhead(how === 'typed' ? query : null);
    },
    [pathname],
  );
  return [get, set];
}
