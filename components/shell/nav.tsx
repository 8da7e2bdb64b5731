'use client';

import { useLinkStatus } from 'next/link';
import { usePathname } from 'next/navigation';
import { type ReactNode, useState } from 'react';
import { withBilling } from '../shared/account-path';
import { useChosenSlug } from '../shared/account-scope';
import { isActive, listNavGroups, type Place } from '../shared/nav-items';
import { cn } from '../ui/cn';
import { Ellipsis } from '../ui/icons';
import { IntentLink } from '../ui/intent-link';
import { Popover } from '../ui/popover';

/** The link to a page for the selected account. */
function usePlaceHref(): (item: Place) => string {
  const slug = useChosenSlug();
  return ({ href, scoped }) => (scoped ? withBilling(href, slug) : href);
}

/** A pending indicator inside the link. */
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

export function SidebarNav({ isOperator }: { isOperator: boolean }) {
  const pathname = usePathname();
  const hrefOf = usePlaceHref();
  return (
    <nav aria-label="Dashboard">
      <div className="flex flex-col gap-5">
        {listNavGroups(isOperator).map(({ label, items }) => (
          <ul key={label} aria-label={label ?? undefined} className="flex flex-col gap-0.5">
            {items.map((item) => {
              const { href, label, icon: Icon } = item;
              const active = isActive(href, pathname);
              return (
                <li key={href}>
                  <IntentLink
                    href={hrefOf(item)}
                    aria-current={active ? 'page' : undefined}
                    className={cn(
                      'flex h-9 items-center gap-2.5 rounded-md px-2.5 font-medium text-muted text-sm transition-colors hover:bg-hover hover:text-ink',
                      active && 'bg-hover text-ink',
                    )}
                  >
                    <Icon aria-hidden className={cn('size-4', active && 'text-accent')} />
                    {label}
                    <Pending />
                  </IntentLink>
                </li>
              );
            })}
          </ul>
        ))}
      </div>
    </nav>
  );
}

/** The same pages in a bar at the bottom of a phone. */
export function BottomNav({ isOperator }: { isOperator: boolean }) {
  const pathname = usePathname();
  const hrefOf = usePlaceHref();
  const places = listNavGroups(isOperator).flatMap(({ items }) => items);
  return (
    <nav
      aria-label="Dashboard"
      className="fixed inset-x-0 bottom-0 z-30 border-t bg-surface pb-[env(safe-area-inset-bottom)] lg:hidden print:hidden"
    >
      <ul className="mx-auto grid h-14 max-w-lg auto-cols-fr grid-flow-col">
        {places
          .filter(({ pinned }) => pinned)
          .map((item) => {
            const { href, label, icon: Icon } = item;
            const active = isActive(href, pathname);
            return (
              <BarPlace key={href} active={active}>
                <IntentLink
                  href={hrefOf(item)}
                  aria-current={active ? 'page' : undefined}
                  className={placeClass(active)}
                >
                  <Icon aria-hidden className={cn('size-5', active && 'text-accent')} />
                  {label}
                </IntentLink>
              </BarPlace>
            );
          })}
        <MorePlaces items={places.filter(({ pinned }) => !pinned)} pathname={pathname} />
      </ul>
    </nav>
  );
}

/** The pages that do not fit the bar. A popover of links: a menu is for actions, not navigation. */
function MorePlaces({ items, pathname }: { items: readonly Place[]; pathname: string }) {
  const [open, setOpen] = useState(false);
  const active = items.some(({ href }) => isActive(href, pathname));
  return (
    <BarPlace active={active}>
      <Popover
        open={open}
        onOpenChange={setOpen}
        label="More places"
        side="top"
        sideOffset={8}
        className="w-56 p-2"
        trigger={
          <button type="button" className={cn(placeClass(active || open), 'w-full')}>
            <Ellipsis aria-hidden className={cn('size-5', active && 'text-accent')} />
            More
          </button>
        }
      >
        <ul className="flex flex-col gap-0.5">
          {items.map(({ href, label, icon: Icon }) => (
            <li key={href}>
              <IntentLink
                href={href}
                aria-current={isActive(href, pathname) ? 'page' : undefined}
                onClick={() => setOpen(false)}
                className="flex h-11 items-center gap-3 rounded-md px-3 font-medium text-sm hover:bg-hover aria-[current]:bg-hover"
              >
                <Icon aria-hidden className="size-5 text-muted" />
                {label}
              </IntentLink>
            </li>
          ))}
        </ul>
      </Popover>
    </BarPlace>
  );
}

function BarPlace({ active, children }: { active: boolean; children: ReactNode }) {
  return (
    <li className="relative min-w-0">
      {active && <span aria-hidden className="absolute inset-x-5 -top-px h-0.5 bg-accent" />}
      {children}
    </li>
  );
}

function placeClass(active: boolean): string {
  return cn(
    'flex h-14 flex-col items-center justify-center gap-1 font-medium text-muted text-xs focus-visible:-outline-offset-2',
    active && 'text-ink',
  );
}
