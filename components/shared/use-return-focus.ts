'use client';

import { useLayoutEffect } from 'react';

/**
 * Restores the focus after a dialog without a trigger closes; radix does so only for its triggers.
 * If the element is gone (such as a revoked key's row), the page's content gets the focus.
 */
export function useReturnFocus(open: boolean): void {
  // A layout effect, to read the focus before the dialog takes it.
  useLayoutEffect(() => {
    if (!open) return;
    const opener = document.activeElement;
    return () => {
      setTimeout(() => {
        // Another element took the focus on purpose.
        if (document.activeElement && document.activeElement !== document.body) return;
        const back =
          opener?.isConnected && opener !== document.body ? opener : document.getElementById('main');
        if (back instanceof HTMLElement) back.focus({ preventScroll: true });
      });
    };
  }, [open]);
}
