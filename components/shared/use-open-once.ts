'use client';

import { useSearchParams } from 'next/navigation';
import { useEffect } from 'react';
import { useUrlQuery } from './use-url-query';

/**
 * Opens what the URL asks for (`?create=1`), after the first paint, and takes it out of the URL: going back, reloading or
 * sharing does not open it again.
 */
export function useOpenOnce(name: string, open: (yes: true) => void): void {
  const asked = useSearchParams().has(name);
  const [, set] = useUrlQuery();
  useEffect(() => {
    if (!asked) return;
    open(true);
    set({ [name]: null });
  }, [asked, open, set, name]);
}
