'use client';

import { usePathname } from 'next/navigation';
import { useEffect, useRef } from 'react';
import { cn } from '../ui/cn';
import { ArrowLeft } from '../ui/icons';
import { IntentLink } from '../ui/intent-link';
import { PLACES } from './places';

function isHere(href: string, pathname: string): boolean {
  return href === '/operator' ? pathname === href : pathname === href || pathname.startsWith(`${href}/`);
}

const LINKS = {
  sidebar: {
    link: 'flex h-9 items-center gap-2.5 rounded-md px-2.5 font-medium text-muted text-sm transition-colors hover:bg-hover hover:text-ink',
    here: 'bg-hover text-ink',
  },
  tabs: {
    link: 'flex h-11 items-center whitespace-nowrap border-transparent border-b-2 px-3 font-medium text-muted text-sm',
    here: 'border-accent text-ink',
  },
} as const;

function PlaceLinks({ within }: { within: keyof typeof LINKS }) {
  const pathname = usePathname();
  const classes = LINKS[within];
  return PLACES.map(({ href, label, icon: Icon }) => {
    const here = isHere(href, pathname);
    return (
      <li key={href}>
        <IntentLink
          href={href}
          aria-current={here ? 'page' : undefined}
          className={cn(classes.link, here && classes.here)}
        >
          {within === 'sidebar' && <Icon aria-hidden className={cn('size-4', here && 'text-accent')} />}
          {label}
        </IntentLink>
      </li>
    );
  });
}

/** The sidebar, shown from 64rem. */
export function OperatorSidebar() {
  return (
    <nav aria-label="Operator" className="flex flex-1 flex-col">
      <ul className="flex flex-col gap-0.5">
        <PlaceLinks within="sidebar" />
      </ul>
      <BackLink className="mt-auto" />
    </nav>
  );
}

function BackLink({ className }: { className?: string }) {
  return (
    <IntentLink
      href="/dashboard"
      className={cn(
        'flex h-9 items-center gap-2.5 whitespace-nowrap rounded-md px-2.5 text-muted text-sm hover:bg-hover hover:text-ink',
        className,
      )}
    >
      <ArrowLeft aria-hidden className="size-4" />
      Your dashboard
    </IntentLink>
  );
}

/** The same links in a row under the header, shown on a phone. */
export function OperatorTabs() {
  const pathname = usePathname();
  const row = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each page scrolls its own tab into view
  useEffect(() => {
    const [nav, tab] = [row.current, row.current?.querySelector('[aria-current]')];
    if (!nav || !tab) return;
    const [seen, wanted] = [nav.getBoundingClientRect(), tab.getBoundingClientRect()];
    nav.scrollLeft += wanted.left + wanted.width / 2 - (seen.left + seen.width / 2);
  }, [pathname]);
  return (
    <nav ref={row} aria-label="Operator" className="overflow-x-auto border-t lg:hidden">
      <ul className="flex px-2">
        <PlaceLinks within="tabs" />
        <li>
          <BackLink className="h-11" />
        </li>
      </ul>
    </nav>
  );
}
