'use client';

import { useLive } from '../live/live-state';

/** Says that the page may be out of date while the gateway does not report changes. */
export function LostConnection() {
  const lost = useLive() === 'lost';
  return (
    <div role="status" className="print:hidden">
      {lost && (
        <p className="border-t bg-warning-soft px-4 py-2 text-sm sm:px-6 lg:px-8">
          The gateway does not respond. This page may be out of date; it follows again by itself.
        </p>
      )}
    </div>
  );
}
