'use client';

import { useLayoutEffect } from 'react';

/**
 * Gives the focus back to where it was when a dialog opened that has no trigger of its own; radix does so only for its
 * triggers. Where that place is gone (a revoked key's row), the page's content takes it.
 */
export function useReturnFocus(open: boolean): void {
  // Layout, not passive: it must look before the dialog takes the focus.
  useLayoutEffect(() => {
    if (!open) return;
    const opener = document.activeElement;
    return () => {
      setTimeout(() => {
        // Something else has taken it on purpose.
        if (document.activeElement && document.activeElement !== document.body) return;
        const back =
          opener?.isConnected && opener !== document.body ? opener : document.getElementById('main');
        if (back instanceof HTMLElement) back.focus({ preventScroll: true });
      });
    };
  }, [open]);
}
