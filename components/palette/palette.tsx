'use client';

import { Command } from 'cmdk';
import * as Dialog from 'radix-ui/dialog';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { MAX_SEARCH_LENGTH } from '@/server/catalog/tools/limits';
import { LoaderCircle, Search } from '../ui/icons';
import { overlayClass } from '../ui/panel-class';
import type { Entry } from './entries';
import { PaletteItem } from './palette-item';
import { addRecentPlace } from './recent';
import { usePaletteGroups } from './use-palette-groups';
import { useRunAct } from './use-run-act';

interface PaletteProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** Called after closing with the path it was opened on, to restore the focus. */
  onClosed: (pathname: string) => void;
  onHelp: () => void;
}

/** The command palette: finds pages, tools, keys and actions by typing. */
export function Palette({ open, onOpenChange, onClosed, onHelp }: PaletteProps) {
  const openedOn = useRef('');
  // The chosen action opened another dialog, which now has the focus.
  const openedDialog = useRef(false);
  return (
    <Dialog.Root open={open} onOpenChange={onOpenChange}>
      <Dialog.Portal>
        <Dialog.Overlay className={overlayClass} />
        <Dialog.Content
          aria-describedby={undefined}
          className="fixed inset-x-0 top-0 z-50 mx-auto flex max-h-dvh w-full animate-pop-in flex-col overflow-hidden border bg-raised shadow-pop sm:top-[12vh] sm:max-h-[70vh] sm:max-w-xl sm:rounded-xl"
          onOpenAutoFocus={() => {
            openedOn.current = window.location.pathname;
            openedDialog.current = false;
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            if (!openedDialog.current) onClosed(openedOn.current);
          }}
        >
          <Dialog.Title className="sr-only">Search or go to</Dialog.Title>
          <PaletteBody
            onDone={() => onOpenChange(false)}
            onHelp={() => {
              openedDialog.current = true;
              onHelp();
            }}
          />
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function PaletteBody({ onDone, onHelp }: { onDone: () => void; onHelp: () => void }) {
  const [text, setText] = useState('');
  const [selected, setSelected] = useState('');
  const { groups, searching, failed } = usePaletteGroups(text);
  const run = useRunAct(onHelp);
  const entries = groups.flatMap((group) => group.entries);
  const first = entries[0]?.id ?? '';
  const moved = useRef(false);
  // While results still load, keep the best match selected, unless the person moved the selection.
  useEffect(() => {
    if (!moved.current) setSelected(first);
  }, [first]);

  function choose(entry: Entry, other: boolean) {
    const act = other && entry.otherAct ? entry.otherAct : entry.act;
    if (entry.recent) addRecentPlace(entry.recent);
    if (act.kind !== 'help') onDone();
    run(act);
  }

  /** cmdk handles Enter; with Control or Command, run the alternative action. */
  function onKeyDown(event: KeyboardEvent) {
    if (event.key.startsWith('Arrow')) moved.current = true;
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    const entry = entries.find(({ id }) => id === selected);
    if (!entry) return;
    event.preventDefault();
    choose(entry, true);
  }

  return (
    <Command
      label="Search or go to"
      loop
      shouldFilter={false}
      value={selected}
      onValueChange={setSelected}
      onKeyDown={onKeyDown}
      className="flex min-h-0 flex-col"
    >
      <PaletteInput
        searching={searching}
        text={text}
        onType={(typed) => {
          moved.current = false;
          setText(typed);
        }}
      />
      <Command.List
        label="Results"
        className="min-h-0 overflow-y-auto overscroll-contain p-2 max-sm:flex-1 sm:h-96"
      >
        {groups.map(({ heading, entries: shown }) => (
          <Command.Group
            key={heading}
            heading={heading}
            className="not-first:mt-2 [&_[cmdk-group-heading]]:px-2.5 [&_[cmdk-group-heading]]:py-1.5 [&_[cmdk-group-heading]]:font-medium [&_[cmdk-group-heading]]:text-muted [&_[cmdk-group-heading]]:text-xs"
          >
            {shown.map((entry) => (
              <PaletteItem key={entry.id} entry={entry} onChoose={() => choose(entry, false)} />
            ))}
          </Command.Group>
        ))}
        {entries.length === 0 && <NoResults text={text} searching={searching} failed={failed} />}
      </Command.List>
      <p role="status" className="sr-only">
        {searching ? '' : entries.length === 1 ? '1 result' : `${entries.length} results`}
      </p>
      <PaletteFoot entry={entries.find(({ id }) => id === selected)} />
    </Command>
  );
}

interface PaletteInputProps {
  searching: boolean;
  text: string;
  onType: (text: string) => void;
}

function PaletteInput({ searching, text, onType }: PaletteInputProps) {
  return (
    <div className="flex h-13 shrink-0 items-center gap-3 border-b px-4">
      {searching ? (
        <LoaderCircle
          aria-hidden
          className="size-4 shrink-0 animate-spin text-muted motion-reduce:animate-pulse-soft"
        />
      ) : (
        <Search aria-hidden className="size-4 shrink-0 text-muted" />
      )}
      <Command.Input
        value={text}
        onValueChange={onType}
        maxLength={MAX_SEARCH_LENGTH}
        placeholder="Page, key, tool or id"
        className="min-w-0 flex-1 bg-transparent text-base outline-none placeholder:text-muted"
      />
      <Dialog.Close className="rounded-sm px-1 text-muted text-sm hover:text-ink sm:hidden">
        Cancel
      </Dialog.Close>
    </div>
  );
}

interface NoResultsProps {
  text: string;
  searching: boolean;
  failed: boolean;
}

function NoResults({ text, searching, failed }: NoResultsProps) {
  return (
    <p className="px-2.5 py-8 text-center text-muted text-sm">
      {failed
        ? 'The search failed. Check your connection and try again.'
        : searching
          ? 'Searching'
          : `No results for “${text.trim()}”. Try other words.`}
    </p>
  );
}

function PaletteFoot({ entry }: { entry: Entry | undefined }) {
  return (
    <p
      aria-hidden
      className="flex h-9 shrink-0 items-center gap-4 border-t bg-sunken px-4 text-muted text-xs max-sm:hidden"
    >
      <span>↑ ↓ to choose</span>
      <span>Enter to open</span>
      {entry?.otherAct && <span>Ctrl Enter to try it in the playground</span>}
      <span className="ml-auto">Esc to close</span>
    </p>
  );
}
