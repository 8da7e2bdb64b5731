'use client';

import { useEffect } from 'react';
import { bindTabToUser } from '../shared/tab-storage';

/**
 * Reloads a page restored from the back-forward cache: another person may be signed in, or it may
 * show a one-time secret. Also clears the tab's storage when another person signs in.
 */
export function ReloadOnRestore({ userId }: { userId: string }) {
  useEffect(() => bindTabToUser(userId), [userId]);
  useEffect(() => {
    const onShow = (event: PageTransitionEvent) => {
      if (!event.persisted) return;
      document.documentElement.hidden = true;
      window.location.reload();
    };
    window.addEventListener('pageshow', onShow);
    return () => window.removeEventListener('pageshow', onShow);
  }, []);
  return null;
}
