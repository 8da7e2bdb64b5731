'use client';

import { useState } from 'react';
import { Button } from '../ui/button';
import { Dialog } from '../ui/dialog';
import { FolderOpen } from '../ui/icons';
import { Input } from '../ui/input';
import { lazyOverlay } from '../ui/lazy-overlay';
import type { FileFieldProps } from '../ui/schema-form/form-context';

const FileChooser = lazyOverlay(
  () => import('./file-chooser').then((loaded) => loaded.FileChooser),
  () => <div className="h-72" />,
);

/** An input field for a file: an asset id or URL, typed or chosen from a list. */
export function FileField({ value, onChange, label, mediaType, ...wiring }: FileFieldProps) {
  const [open, setOpen] = useState(false);
  return (
    <div className="flex min-w-0 gap-2">
      <Input
        {...wiring}
        spellCheck={false}
        autoComplete="off"
        placeholder="asset_… or https://…"
        className="font-mono sm:text-xs"
        value={value ?? ''}
        onChange={({ target }) => onChange(target.value === '' ? undefined : target.value)}
      />
      <Dialog
        open={open}
        onOpenChange={setOpen}
        title={`Choose a file for ${label}`}
        className="sm:max-w-xl"
        trigger={
          <Button aria-label={`Choose a file for ${label}`} className="px-3">
            <FolderOpen aria-hidden />
            <span className="max-sm:sr-only">Choose</span>
          </Button>
        }
      >
        <FileChooser
          mediaType={mediaType}
          onChoose={(assetId) => {
            onChange(assetId);
            setOpen(false);
          }}
        />
      </Dialog>
    </div>
  );
}
