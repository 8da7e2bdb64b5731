'use client';

import { Check, ChevronsUpDown, User, Users } from 'lucide-react';
import Link from 'next/link';
import { usePathname, useSearchParams } from 'next/navigation';
import { useState } from 'react';
import type { BillingBalance } from '@/server/billing/schema';
import { buttonClass } from '../ui/button';
import { cn } from '../ui/cn';
import { Money } from '../ui/money';
import { Popover } from '../ui/popover';
import { useBalance } from './queries';
import { RoleBadge } from './role-badge';

type Account = BillingBalance['accounts'][number];

const TEAM_PATH = /^\/dashboard\/team\/([^/]+)/;

/** Whose money the page is about, what it is, and the way to that of the others. */
export function AccountSwitcher({ initial }: { initial: BillingBalance | undefined }) {
  const { data } = useBalance(initial);
  const chosen = useChosenSlug();
  const [open, setOpen] = useState(false);
  const personal = data?.accounts.find(({ type }) => type !== 'team');
  if (!data || !personal) return null;
  const current = data.accounts.find(({ slug }) => slug !== null && slug === chosen) ?? personal;
  return (
    <Popover
      open={open}
      onOpenChange={setOpen}
      label="Accounts"
      className="flex max-h-[min(28rem,80dvh)] w-80 max-w-[calc(100vw-1rem)] flex-col"
      trigger={
        <button
          type="button"
          aria-label={`Accounts: ${nameOf(current)}`}
          className="flex h-9 min-w-0 items-center gap-2 rounded-md px-2.5 text-sm hover:bg-hover data-[state=open]:bg-hover"
        >
          <span className="max-w-40 truncate text-muted max-sm:max-w-24">{nameOf(current)}</span>
          <Money usd={current.available_usd} className="font-medium" />
          <ChevronsUpDown aria-hidden className="size-3.5 shrink-0 text-muted" />
        </button>
      }
    >
      <ul className="flex min-h-0 flex-col gap-0.5 overflow-y-auto p-2">
        {data.accounts.map((account) => (
          <li key={account.id}>
            <AccountLink
              account={account}
              current={account.id === current.id}
              onChosen={() => setOpen(false)}
            />
          </li>
        ))}
      </ul>
      <div className="border-t p-2">
        <Link
          href="/dashboard/team"
          onClick={() => setOpen(false)}
          className={buttonClass({ variant: 'ghost', className: 'w-full justify-start px-2.5' })}
        >
          <Users aria-hidden className="text-muted" />
          {data.accounts.length > 1 ? 'All teams' : 'Make a team'}
        </Link>
      </div>
    </Popover>
  );
}

interface AccountLinkProps {
  account: Account;
  current: boolean;
  onChosen: () => void;
}

function AccountLink({ account, current, onChosen }: AccountLinkProps) {
  const Icon = account.type === 'team' ? Users : User;
  const href = account.slug
    ? `/dashboard/billing?billing=${encodeURIComponent(account.slug)}`
    : '/dashboard/billing';
  return (
    <Link
      href={href}
      aria-current={current || undefined}
      onClick={onChosen}
      className={cn(
        'flex min-h-11 items-center gap-2.5 rounded-md px-2.5 py-1.5 text-sm hover:bg-hover',
        current && 'bg-hover',
      )}
    >
      <Icon aria-hidden className="size-4 shrink-0 text-muted" />
      <span className="min-w-0 flex-1 truncate font-medium">{nameOf(account)}</span>
      {account.type === 'team' && <RoleBadge role={account.role} />}
      <Money usd={account.available_usd} className="text-muted" />
      <Check aria-hidden className={cn('size-4 shrink-0 text-accent', !current && 'invisible')} />
    </Link>
  );
}

function nameOf(account: Account): string {
  return account.type === 'team' ? account.name : 'Personal';
}

/** The team that the address names, on its own page and on Billing. */
function useChosenSlug(): string | null {
  const pathname = usePathname();
  const params = useSearchParams();
  const [, slug] = TEAM_PATH.exec(pathname) ?? [];
  return slug ?? params.get('billing');
}
