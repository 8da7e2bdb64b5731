'use client';

import { useEffect, useState } from 'react';

const STABLE_MS = 500;

/**
 * Whether the window has been in front long enough to be read. Prevents clickjacking by double
 * click: another window could close itself between two clicks, so that the second one lands here.
 */
export function useStableFocus(): boolean {
  const [settled, setSettled] = useState(false);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    function begin() {
      clearTimeout(timer);
      setSettled(false);
      timer = setTimeout(() => setSettled(true), STABLE_MS);
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
