'use client';

import { Button } from '../ui/button';

interface SaveRowProps {
  dirty: boolean;
  busy: boolean;
  onDiscard: () => void;
}

/** The end of a form whose changes hold only once they are saved. */
export function SaveRow({ dirty, busy, onDiscard }: SaveRowProps) {
  return (
    <div className="flex items-center gap-2">
      <Button type="submit" variant="primary" disabled={!dirty} busy={busy}>
        Save
      </Button>
      {dirty && (
        <Button variant="ghost" disabled={busy} onClick={onDiscard}>
          Discard
        </Button>
      )}
      <p role="status" className="ml-auto text-muted text-sm">
        {dirty && 'Not saved yet'}
      </p>
    </div>
  );
}
