'use client';

import { useEffect, useState } from 'react';

/**
 * Fetches a URL and navigates to it. Stays busy until the page is left, so that nothing is pressed
 * twice; the browser's back button shows the page ready again.
 */
export function useRedirect() {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);

  useEffect(() => {
    const onShow = (event: PageTransitionEvent) => event.persisted && setBusy(false);
    window.addEventListener('pageshow', onShow);
    return () => window.removeEventListener('pageshow', onShow);
  }, []);

  async function leave(ask: () => Promise<{ url: string }>) {
    setBusy(true);
    setError(null);
    try {
      window.location.assign((await ask()).url);
    } catch (problem) {
      setError(problem);
      setBusy(false);
    }
  }
  return { busy, leave, error, forgetError: () => setError(null) };
}
