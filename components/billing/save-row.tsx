'use client';

import { useRef } from 'react';
import { Button } from '../ui/button';
import { cn } from '../ui/cn';

interface SaveRowProps {
  dirty: boolean;
  busy: boolean;
  onDiscard: () => void;
}

/** The end of a form whose changes hold only once they are saved. */
export function SaveRow({ dirty, busy, onDiscard }: SaveRowProps) {
  const save = useRef<HTMLButtonElement>(null);

  function discard() {
    onDiscard();
    // Its own button goes.
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
        // Not `disabled`: whoever has just pressed it would lose the focus.
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
        {dirty && 'Not saved yet'}
      </p>
    </div>
  );
}
