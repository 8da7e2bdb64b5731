'use client';

import Link, { useLinkStatus } from 'next/link';
import { usePathname } from 'next/navigation';
import { cn } from '../ui/cn';
import { isActive, NAV_ITEMS } from './nav-items';

/** Says within the link that the next page is on its way. */
function Pending() {
  const { pending } = useLinkStatus();
  return (
    <span
      aria-hidden
      className={cn(
        'ml-auto size-1.5 rounded-full bg-accent opacity-0',
        pending && 'animate-pulse-soft opacity-100 delay-100',
      )}
    />
  );
}

export function SidebarNav() {
  const pathname = usePathname();
  return (
    <nav aria-label="Dashboard">
      <ul className="flex flex-col gap-0.5">
        {NAV_ITEMS.map(({ href, label, icon: Icon }) => {
          const active = isActive(href, pathname);
          return (
            <li key={href}>
              <Link
                href={href}
                aria-current={active ? 'page' : undefined}
                className={cn(
                  'flex h-9 items-center gap-2.5 rounded-md px-2.5 font-medium text-muted text-sm transition-colors hover:bg-hover hover:text-ink',
                  active && 'bg-hover text-ink',
                )}
              >
                <Icon aria-hidden className={cn('size-4', active && 'text-accent')} />
                {label}
                <Pending />
              </Link>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}

/** The same places at the thumb's reach. */
export function BottomNav() {
  const pathname = usePathname();
  return (
    <nav
      aria-label="Dashboard"
      className="fixed inset-x-0 bottom-0 z-30 border-t bg-surface pb-[env(safe-area-inset-bottom)] lg:hidden print:hidden"
    >
      <ul className="mx-auto grid h-14 max-w-lg grid-cols-4">
        {NAV_ITEMS.map(({ href, label, icon: Icon }) => {
          const active = isActive(href, pathname);
          return (
            <li key={href} className="relative">
              {active && <span aria-hidden className="absolute inset-x-6 -top-px h-0.5 bg-accent" />}
              <Link
                href={href}
                aria-current={active ? 'page' : undefined}
                className={cn(
                  'flex h-14 flex-col items-center justify-center gap-1 font-medium text-muted text-xs focus-visible:-outline-offset-2',
                  active && 'text-ink',
                )}
              >
                <Icon aria-hidden className={cn('size-5', active && 'text-accent')} />
                {label}
              </Link>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}
