'use client';

import { useEffect } from 'react';
import { ownTab } from './tab-memory';

/**
 * A page that the browser has kept whole, to show it again on “back”, is loaded anew: it may be someone else's by then, and
 * a secret that was on it was to be shown once. So is what the tab keeps: it is forgotten where another person signs in.
 */
export function FreshOnReturn({ userId }: { userId: string }) {
  useEffect(() => ownTab(userId), [userId]);
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
