'use client';

import dynamic from 'next/dynamic';
import { useEffect, useRef, useState } from 'react';
import { Button } from '../ui/button';
import { Plus } from '../ui/icons';

const loadDialog = () => import('./create-key-dialog').then((module) => module.CreateKeyDialog);
const CreateKeyDialog = dynamic(loadDialog, { ssr: false });
/** Prefetched on hover and focus, so that the dialog opens at once. */
const fetchDialog = () => void loadDialog();

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
        onPointerEnter={fetchDialog}
        onFocus={fetchDialog}
        onClick={() => onOpenChange(true)}
      >
        <Plus aria-hidden />
        Create key
      </Button>
      {used && <CreateKeyDialog team={team} open={open} onOpenChange={onOpenChange} opener={button} />}
    </>
  );
}
