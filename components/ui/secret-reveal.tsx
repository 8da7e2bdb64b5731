'use client';

import type { ReactNode } from 'react';
import { CopyButton } from './copy-button';
import { Notice } from './notice';

interface SecretRevealProps {
  secret: string;
  /** The accessible name: "API key". */
  label: string;
  /** Why to copy it now; by default, that it cannot be shown again. */
  warning?: ReactNode;
  onCopied?: () => void;
}

/** A secret that is shown once. Keep it in state only: never in a URL, storage or a log. */
export function SecretReveal({ secret, label, warning, onCopied }: SecretRevealProps) {
  return (
    <div className="flex flex-col gap-3">
      <div className="flex items-center gap-2 rounded-lg border border-line-strong bg-sunken py-2 pr-2 pl-3">
        <output
          aria-label={label}
          className="min-w-0 flex-1 select-all break-all font-mono text-sm"
          translate="no"
        >
          {secret}
        </output>
        <CopyButton value={secret} label={`Copy ${label}`} variant="secondary" onCopied={onCopied} />
      </div>
      <Notice tone="warning">
        {warning ?? 'Copy it now. We store only its hash, so it cannot be shown again.'}
      </Notice>
    </div>
  );
}
