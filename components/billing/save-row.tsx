'use client';

import { useRef } from 'react';
import { Button } from '../ui/button';
import { cn } from '../ui/cn';

interface SaveRowProps {
  dirty: boolean;
  busy: boolean;
  onDiscard: () => void;
}

/** The save and discard buttons at the end of a form. */
export function SaveRow({ dirty, busy, onDiscard }: SaveRowProps) {
  const save = useRef<HTMLButtonElement>(null);

  function discard() {
    onDiscard();
    // The discard button disappears.
    save.current?.focus();
  }

  return (
    <div className="flex items-center gap-2">
      <Button
        ref={save}
        type={dirty ? 'submit' : 'button'}
        variant="primary"
        busy={busy}
        className={cn(!dirty && 'cursor-not-allowed opacity-50')}
        // Not `disabled`, which would drop the focus of the person who just pressed it.
        {...(!dirty && { 'aria-disabled': true })}
      >
        Save
      </Button>
      {dirty && (
        <Button variant="ghost" disabled={busy} onClick={discard}>
          Discard
        </Button>
      )}
      <p role="status" className="ml-auto text-muted text-sm">
        {dirty && 'Unsaved changes'}
      </p>
    </div>
  );
}
