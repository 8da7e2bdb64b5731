'use client';

import { useSearchParams } from 'next/navigation';
import { useEffect } from 'react';
import { useUrlQuery } from './use-url-query';

/**
 * Opens a dialog named in the URL (`?create=1`) after the first paint and removes the parameter, so
 * that going back, reloading or sharing does not reopen it.
 */
export function useOpenOnce(name: string, open: (yes: true, value: string) => void): void {
  const asked = useSearchParams().get(name);
  const [, set] = useUrlQuery();
  useEffect(() => {
    if (asked === null) return;
    open(true, asked);
    set({ [name]: null });
  }, [asked, open, set, name]);
}
