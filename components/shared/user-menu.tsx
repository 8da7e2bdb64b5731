'use client';

import Link from 'next/link';
import { useState } from 'react';
import type { Viewer } from '@/server/identity/accounts/schema';
import { Button } from '../ui/button';
import { buttonClass } from '../ui/button-class';
import { cn } from '../ui/cn';
import { ChevronDown, LogOut, Settings } from '../ui/icons';
import { Popover } from '../ui/popover';
import { ThemeToggle } from '../ui/theme-toggle';
import { signOutHere } from './sign-out';

/**
 * The viewer, the theme and sign-out. A popover, because a menu may not contain both radio buttons
 * and links.
 */
export function UserMenu({ viewer }: { viewer: Viewer }) {
  const [open, setOpen] = useState(false);
  const shown = viewer.name ?? viewer.email;
  return (
    <Popover
      open={open}
      onOpenChange={setOpen}
      label="Account"
      className="w-72"
      trigger={
        <button
          type="button"
          className="flex h-9 items-center gap-2 rounded-md px-1.5 text-sm hover:bg-hover data-[state=open]:bg-hover"
        >
          <span className="sr-only">Account: </span>
          <Initial name={shown} />
          <span className="max-w-40 truncate font-medium max-sm:sr-only">{shown}</span>
          <ChevronDown aria-hidden className="size-4 text-muted max-sm:hidden" />
        </button>
      }
    >
      <div className="flex items-center gap-3 border-b p-4">
        <Initial name={shown} />
        <div className="min-w-0 text-sm">
          {viewer.name && <p className="truncate font-medium">{viewer.name}</p>}
          <p className={cn('truncate', viewer.name && 'text-muted')}>{viewer.email}</p>
        </div>
      </div>
      <div className="flex items-center justify-between border-b px-4 py-3">
        <span className="text-sm">Theme</span>
        <ThemeToggle />
      </div>
      <div className="flex flex-col gap-0.5 p-2">
        <Link
          href="/dashboard/settings"
          onClick={() => setOpen(false)}
          className={cn(buttonClass({ variant: 'ghost' }), 'justify-start px-2')}
        >
          <Settings aria-hidden className="text-muted" />
          Settings
        </Link>
        <SignOutButton />
      </div>
    </Popover>
  );
}

function SignOutButton() {
  const [busy, setBusy] = useState(false);
  return (
    <Button
      variant="ghost"
      className="justify-start px-2"
      busy={busy}
      onClick={() => {
        setBusy(true);
        signOutHere().catch(() => setBusy(false));
      }}
    >
      <LogOut aria-hidden className="text-muted" />
      Sign out
    </Button>
  );
}

function Initial({ name }: { name: string }) {
  return (
    <span
      aria-hidden
      className="flex size-7 shrink-0 items-center justify-center rounded-full bg-accent-soft font-semibold text-accent text-xs uppercase"
    >
      {name.trim().slice(0, 1)}
    </span>
  );
}
