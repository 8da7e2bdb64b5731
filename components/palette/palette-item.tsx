'use client';

import { Command } from 'cmdk';
import { Kbd } from '../ui/kbd';
import type { Entry } from './entries';

/** A row of the palette. */
export function PaletteItem({ entry, onChoose }: { entry: Entry; onChoose: () => void }) {
  const { icon: Icon } = entry;
  return (
    <Command.Item
      value={entry.id}
      onSelect={onChoose}
      className="flex min-h-10 cursor-pointer select-none items-center gap-3 rounded-md px-2.5 py-1.5 text-sm data-[selected=true]:bg-hover max-sm:min-h-11"
    >
      <Icon aria-hidden className="size-4 shrink-0 text-muted" />
      <span className="min-w-0 truncate">{entry.label}</span>
      {entry.note && <span className="min-w-0 flex-1 truncate text-muted">{entry.note}</span>}
      {entry.keys && (
        <span aria-hidden className="ml-auto flex shrink-0 gap-1 max-sm:hidden">
          {entry.keys.map((key) => (
            <Kbd key={key}>{key}</Kbd>
          ))}
        </span>
      )}
    </Command.Item>
  );
}
