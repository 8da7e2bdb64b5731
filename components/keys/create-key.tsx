'use client';

import { useEffect, useRef, useState } from 'react';
import { Button } from '../ui/button';
import { Plus } from '../ui/icons';
import { lazyOverlay } from '../ui/lazy-overlay';

const CreateKeyDialog = lazyOverlay(() =>
  import('./create-key-dialog').then((module) => module.CreateKeyDialog),
);

interface CreateKeyProps {
  /** The team that gets the key; null: the person. */
  team: { slug: string; name: string } | null;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** The button that creates a key. Its dialog is loaded on first use. */
export function CreateKey({ team, open, onOpenChange }: CreateKeyProps) {
  const button = useRef<HTMLButtonElement>(null);
  const [used, setUsed] = useState(false);
  useEffect(() => {
    if (open) setUsed(true);
  }, [open]);
  return (
    <>
      <Button
        ref={button}
        variant="primary"
        aria-haspopup="dialog"
        aria-expanded={open}
        onPointerEnter={CreateKeyDialog.prefetch}
        onFocus={CreateKeyDialog.prefetch}
        onClick={() => onOpenChange(true)}
      >
        <Plus aria-hidden />
        Create key
      </Button>
      {used && <CreateKeyDialog team={team} open={open} onOpenChange={onOpenChange} opener={button} />}
    </>
  );
}
