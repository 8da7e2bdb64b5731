'use client';

import { useEffect, useState } from 'react';

const SETTLE_MS = 500;

/**
 * Whether the window has been in front for long enough to be read. A page that lets people press twice, and closes what lies
 * over this one in between, would have the second press land here.
 */
export function useSettled(): boolean {
  const [settled, setSettled] = useState(false);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    function begin() {
      clearTimeout(timer);
      setSettled(false);
      timer = setTimeout(() => setSettled(true), SETTLE_MS);
    }
    begin();
    window.addEventListener('focus', begin);
    document.addEventListener('visibilitychange', begin);
    return () => {
      clearTimeout(timer);
      window.removeEventListener('focus', begin);
      document.removeEventListener('visibilitychange', begin);
    };
  }, []);
  return settled;
}
