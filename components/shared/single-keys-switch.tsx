'use client';

import { useId } from 'react';
import { setSingleKeys, useSingleKeys } from '../ui/single-keys';
import { Switch } from '../ui/switch';

/** Whether single keys do something; Ctrl K and the keys inside of dialogs always do. */
export function SingleKeysSwitch() {
  const on = useSingleKeys();
  const id = useId();
  return (
    <div className="flex items-center justify-between gap-6 text-sm">
      <div>
        <label htmlFor={id} className="font-medium">
          Single-key shortcuts
        </label>
        <p id={`${id}-hint`} className="text-muted">
          / and ? and G with a letter. Off helps with speech input.
        </p>
      </div>
      <Switch id={id} aria-describedby={`${id}-hint`} checked={on} onCheckedChange={setSingleKeys} />
    </div>
  );
}
