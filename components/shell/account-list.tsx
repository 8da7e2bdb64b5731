'use client';

import Link from 'next/link';
import { usePathname, useSearchParams } from 'next/navigation';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import type { BillingBalance } from '@/server/money/billing/schema';
import { accountHref, accountName } from '../shared/account-scope';
import { RoleBadge } from '../shared/role-badge';
import { buttonClass } from '../ui/button-class';
import { cn } from '../ui/cn';
import { Check, Plus, User, Users } from '../ui/icons';
import { Input } from '../ui/input';
import { IntentLink } from '../ui/intent-link';
import { Money } from '../ui/money';
import { stepTo, typeAhead } from './walk-links';

type Account = BillingBalance['accounts'][number];

/** With this many accounts, a search field is shown. */
const SEARCH_FROM = 8;

interface AccountListProps {
  accounts: Account[];
  currentId: string | null;
  onChosen: () => void;
}

/**
 * All accounts of the person, each linked to the current page for it. Arrow keys move the focus,
 * and a letter jumps to a match.
 */
export function AccountList({ accounts, currentId, onChosen }: AccountListProps) {
  const pathname = usePathname();
  const params = useSearchParams();
  const box = useRef<HTMLDivElement>(null);
  const [text, setText] = useState('');
  const searchable = accounts.length >= SEARCH_FROM;
  const wanted = text.trim().toLowerCase();
  const shown = accounts.filter((account) =>
    `${accountName(account)} ${account.slug ?? ''}`.toLowerCase().includes(wanted),
  );
  // radix does not move the initial focus to links: focus the search, or else the current account.
  useEffect(() => {
    const first = box.current?.querySelector<HTMLElement>('input, a[aria-current], a[href]');
    first?.focus({ preventScroll: true });
  }, []);
  const links = () => [...(box.current?.querySelectorAll<HTMLElement>('a[href]') ?? [])];

  function onKeyDown(event: KeyboardEvent<HTMLElement>) {
    const typing = event.target instanceof HTMLInputElement;
    const next =
      stepTo(event, links(), typing) ?? (typing || searchable ? undefined : typeAhead(event, links()));
    if (!next) return;
    event.preventDefault();
    next.focus();
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: only moves the focus between the links inside
    <div ref={box} className="flex min-h-0 flex-col" onKeyDown={onKeyDown}>
      {searchable && (
        <div className="border-b p-2">
          <Input
            type="search"
            aria-label="Find an account"
            placeholder="Find an account"
            autoComplete="off"
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        </div>
      )}
      <ul aria-label="Your accounts" className="flex min-h-0 flex-col gap-0.5 overflow-y-auto p-2">
        {shown.map((account) => (
          <li key={account.id}>
            <AccountLink
              account={account}
              href={accountHref(pathname, params, account.slug)}
              current={account.id === currentId}
              plain={currentId === null}
              onChosen={onChosen}
            />
          </li>
        ))}
      </ul>
      <p role="status" className="px-4 pb-3 text-muted text-sm empty:hidden">
        {shown.length === 0 && `None of your accounts is called “${text.trim()}”.`}
      </p>
      <div className="flex flex-wrap border-t p-2">
        <MenuLink href="/dashboard/team" onChosen={onChosen}>
          <Users aria-hidden className="text-muted" />
          Teams
        </MenuLink>
        <MenuLink href="/dashboard/team?create=1" onChosen={onChosen}>
          <Plus aria-hidden className="text-muted" />
          Create team
        </MenuLink>
      </div>
    </div>
  );
}

interface AccountLinkProps {
  account: Account;
  href: string;
  current: boolean;
  /** A full page load: the router caches “not found” for a path whatever its query is. */
  plain: boolean;
  onChosen: () => void;
}

function AccountLink({ account, href, current, plain, onChosen }: AccountLinkProps) {
  const Place = plain ? 'a' : IntentLink;
  const Icon = account.type === 'team' ? Users : User;
  return (
    <Place
      href={href}
      aria-current={current || undefined}
      onClick={onChosen}
      className={cn(
        'flex min-h-11 items-center gap-2.5 rounded-md px-2.5 py-1.5 text-sm hover:bg-hover',
        current && 'bg-hover',
      )}
    >
      <Icon aria-hidden className="size-4 shrink-0 text-muted" />
      <span className="min-w-0 flex-1 truncate font-medium">{accountName(account)}</span>
      {account.type === 'team' && <RoleBadge role={account.role} />}
      <Money usd={account.available_usd} down className="text-muted" />
      <Check aria-hidden className={cn('size-4 shrink-0 text-accent', !current && 'invisible')} />
    </Place>
  );
}

interface MenuLinkProps {
  href: string;
  onChosen: () => void;
  children: React.ReactNode;
}

function MenuLink({ href, onChosen, children }: MenuLinkProps) {
  return (
    <Link
      href={href}
      prefetch={false}
      onClick={onChosen}
      className={buttonClass({ variant: 'ghost', className: 'flex-1 justify-start px-2.5' })}
    >
      {children}
    </Link>
  );
}
