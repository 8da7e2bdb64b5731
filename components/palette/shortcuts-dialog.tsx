'use client';

import * as Dialog from 'radix-ui/dialog';
import { useRef } from 'react';
import { NAV_ITEMS } from '../shared/nav-items';
import { SingleKeysSwitch } from '../shared/single-keys-switch';
import { cn } from '../ui/cn';
import { X } from '../ui/icons';
import { Kbd } from '../ui/kbd';
import { overlayClass, panelClass } from '../ui/panel-class';

interface ShortcutsDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  onClosed: (pathname: string) => void;
}

const EVERYWHERE: readonly { does: string; keys: readonly string[] }[] = [
  { does: 'Search or go to', keys: ['Ctrl or ⌘', 'K'] },
  { does: 'Search this page', keys: ['/'] },
  { does: 'Show shortcuts', keys: ['?'] },
  { does: 'Move through a table', keys: ['↑', '↓'] },
  { does: 'Close dialog or menu', keys: ['Esc'] },
];

/**
 * The list of keyboard shortcuts. Not the kit's Dialog, because the host decides where the focus
 * returns.
 */
export function ShortcutsDialog({ open, onOpenChange, onClosed }: ShortcutsDialogProps) {
  const openedOn = useRef('');
  return (
    <Dialog.Root open={open} onOpenChange={onOpenChange}>
      <Dialog.Portal>
        <Dialog.Overlay className={overlayClass} />
        <Dialog.Content
          aria-describedby={undefined}
          className={cn(panelClass, 'focus:outline-none sm:max-w-2xl')}
          onOpenAutoFocus={(event) => {
            openedOn.current = window.location.pathname;
            // The content is for reading, and its only control comes last.
            event.preventDefault();
            if (event.target instanceof HTMLElement) event.target.focus();
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            onClosed(openedOn.current);
          }}
        >
          <Dialog.Title className="font-semibold text-lg leading-6">Keyboard shortcuts</Dialog.Title>
          <div className="mt-4 grid gap-x-10 gap-y-6 text-sm sm:grid-cols-2">
            <Shortcuts title="Everywhere" rows={EVERYWHERE} />
            <Shortcuts
              title="Go to"
              rows={NAV_ITEMS.map(({ label, go }) => ({ does: label, keys: ['G', go.toUpperCase()] }))}
            />
          </div>
          <div className="mt-6 border-t pt-4">
            <SingleKeysSwitch />
          </div>
          <Dialog.Close
            aria-label="Close"
            className="absolute top-4 right-4 flex size-8 items-center justify-center rounded-md text-muted hover:bg-hover hover:text-ink"
          >
            <X aria-hidden className="size-4" />
          </Dialog.Close>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function Shortcuts({ title, rows }: { title: string; rows: typeof EVERYWHERE }) {
  return (
    <section aria-label={title}>
      <h3 className="mb-1 font-medium text-muted text-xs">{title}</h3>
      <dl className="divide-y">
        {rows.map(({ does, keys }) => (
          <div key={does} className="flex items-center justify-between gap-4 py-1.5">
            <dt>{does}</dt>
            <dd className="flex shrink-0 gap-1">
              {keys.map((key) => (
                <Kbd key={key}>{key}</Kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
