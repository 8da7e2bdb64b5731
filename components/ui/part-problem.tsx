'use client';

import { useSyncExternalStore } from 'react';
import { hasFailedParts, retryParts, subscribeToFailures } from './load-part';

/**
 * Offers to try again when the code of a part of the page could not be fetched. It looks like a
 * toast but is none: the code of toasts may be what cannot be fetched.
 */
export function PartProblem() {
  const shown = useSyncExternalStore(subscribeToFailures, hasFailedParts, () => false);
  return (
    <div role="alert" className="fixed inset-x-4 top-4 z-60 sm:top-auto sm:right-4 sm:bottom-4 sm:left-auto">
      {shown && (
        <div className="flex items-center gap-3 rounded-lg border bg-raised px-4 py-3 text-sm shadow-pop sm:w-89">
          <p className="min-w-0 flex-1">
            <span className="block font-medium">This could not be opened</span>
            <span className="text-muted">The gateway did not respond.</span>
          </p>
          <button
            type="button"
            onClick={retryParts}
            className="shrink-0 rounded-md border px-2.5 py-1 font-medium text-xs hover:bg-hover"
          >
            Try again
          </button>
        </div>
      )}
    </div>
  );
}
