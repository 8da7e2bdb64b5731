'use client';

import { useId } from 'react';
import { setSingleKeys, useSingleKeys } from '../ui/single-keys';
import { Switch } from '../ui/switch';

/** Switches single-key shortcuts; Ctrl K and the keys inside dialogs always work. */
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
          /, ? and G followed by a letter. Turn off if you use voice control.
        </p>
      </div>
      <Switch id={id} aria-describedby={`${id}-hint`} checked={on} onCheckedChange={setSingleKeys} />
    </div>
  );
}
