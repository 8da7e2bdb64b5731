'use client';

import Link from 'next/link';
import { usePathname } from 'next/navigation';
import { useEffect, useRef, useState } from 'react';
import { buttonClass } from '../ui/button-class';
import { Menu, X } from '../ui/icons';
import { ThemeToggle } from '../ui/theme-toggle';
import { SITE_LINKS } from './nav-links';
import { SiteLink } from './site-link';

/**
 * The navigation on narrow screens: opens below the header, and closes on Escape and on navigation.
 */
export function PhoneMenu({ account }: { account: { href: string; label: string } }) {
  const pathname = usePathname();
  const [openAt, setOpenAt] = useState<string | null>(null);
  const open = openAt === pathname;
  const button = useRef<HTMLButtonElement>(null);

  useEffect(() => {
    if (!open) return;
    function onKey(event: KeyboardEvent) {
      if (event.key !== 'Escape') return;
      setOpenAt(null);
      button.current?.focus();
    }
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [open]);

  const Icon = open ? X : Menu;
  return (
    <div className="ml-auto sm:hidden">
      <button
        ref={button}
        type="button"
        aria-expanded={open}
        aria-controls="phone-menu"
        aria-label="Menu"
        className="flex size-10 items-center justify-center rounded-md hover:bg-hover"
        onClick={() => setOpenAt(open ? null : pathname)}
      >
        <Icon aria-hidden className="size-5" />
      </button>
      <div
        id="phone-menu"
        hidden={!open}
        className="absolute inset-x-0 top-14 animate-fade-in border-b bg-bg px-4 py-4 shadow-pop"
      >
        <nav aria-label="Main" className="flex flex-col">
          {SITE_LINKS.map((link) => (
            <SiteLink key={link.href} {...link} className="py-3 text-base" />
          ))}
        </nav>
        <div className="mt-3 flex items-center justify-between gap-4 border-t pt-4">
          <Link href={account.href} className={buttonClass({ variant: 'primary' })}>
            {account.label}
          </Link>
          <ThemeToggle />
        </div>
      </div>
    </div>
  );
}
