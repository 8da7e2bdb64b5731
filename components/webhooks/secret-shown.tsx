'use client';

import { useEffect, useRef } from 'react';
import { Button } from '../ui/button';
import { DialogActions, DialogClose } from '../ui/dialog';
import { SecretReveal } from '../ui/secret-reveal';

/** The new secret of an endpoint, the only time it is shown. */
export function SecretShown({ secret, children }: { secret: string; children?: React.ReactNode }) {
  const top = useRef<HTMLDivElement>(null);
  // The form's button is gone: move the focus to the secret.
  useEffect(() => top.current?.focus({ preventScroll: true }), []);
  return (
    <div ref={top} tabIndex={-1} className="flex min-w-0 flex-col gap-4 focus:outline-none">
      <SecretReveal
        secret={secret}
        label="signing secret"
        warning="Copy it now: it cannot be shown again, but you can rotate it. Your receiver verifies events with it."
      />
      {children}
      <DialogActions>
        <DialogClose>
          <Button variant="primary">Done</Button>
        </DialogClose>
      </DialogActions>
    </div>
  );
}
