'use client';

import { useState } from 'react';

/** The HTML version of an email, in a frame that is loaded when it is opened. */
export function EmailHtml({ subject, html }: { subject: string; html: string }) {
  const [open, setOpen] = useState(false);
  return (
    <details className="border-b" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="px-4 py-3 text-sm sm:px-5">HTML version</summary>
      {open && (
        // Its sandbox runs no scripts; links open in another tab.
        <iframe
          title={`HTML version of ${subject}`}
          srcDoc={html}
          sandbox="allow-popups allow-popups-to-escape-sandbox"
          className="h-[34rem] w-full bg-white"
        />
      )}
    </details>
  );
}
