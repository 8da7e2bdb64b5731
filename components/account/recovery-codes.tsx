'use client';

import { Button } from '../ui/button';
import { CopyButton } from '../ui/copy-button';
import { DialogActions } from '../ui/dialog';
import { Notice } from '../ui/notice';

/** The recovery codes, shown once. */
export function RecoveryCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  return (
    <div className="flex flex-col gap-4">
      <p className="text-muted text-sm">
        Each of these codes signs you in once if you do not have your app. Keep them where you keep passwords.
      </p>
      <ul
        aria-label="Recovery codes"
        className="grid gap-x-6 gap-y-1 rounded-lg border bg-sunken p-4 font-mono text-sm sm:grid-cols-2"
        translate="no"
      >
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <Notice tone="warning">We store only their hashes, so they cannot be shown again.</Notice>
      <DialogActions>
        <CopyButton value={codes.join('\n')} label="Copy codes" text variant="secondary" size="md" />
        <Button variant="primary" onClick={onDone}>
          I have saved them
        </Button>
      </DialogActions>
    </div>
  );
}
