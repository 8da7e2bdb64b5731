'use client';

import { ChevronsUpDown } from 'lucide-react';
import dynamic from 'next/dynamic';
import { useRef, useState } from 'react';
import type { BillingBalance } from '@/server/billing/schema';
import { Money } from '../ui/money';
import { accountName, useChosenSlug } from './account-scope';
import { useBalance } from './queries';

const loadMenu = () => import('./account-menu').then((module) => module.AccountMenu);
const AccountMenu = dynamic(loadMenu, { ssr: false });
/** Before it is pressed, so that the press finds it there. */
const fetchMenu = () => void loadMenu();

/** Whose account the page is about and what it can spend; pressing it leads to the others. */
export function AccountSwitcher({ initial }: { initial: BillingBalance | undefined }) {
  const { data } = useBalance(initial);
  const chosen = useChosenSlug();
  const button = useRef<HTMLButtonElement>(null);
  const [open, setOpen] = useState(false);
  const [used, setUsed] = useState(false);
  const personal = data?.accounts.find(({ type }) => type !== 'team');
  if (!data || !personal) return null;
  const current = chosen === null ? personal : data.accounts.find(({ slug }) => slug === chosen);
  return (
    <>
      <button
        ref={button}
        type="button"
        aria-label={current ? `Accounts: ${accountName(current)}` : 'Accounts: none of yours is chosen'}
        aria-haspopup="dialog"
        aria-expanded={open}
        className="flex h-9 min-w-0 items-center gap-2 rounded-md px-2.5 text-sm hover:bg-hover aria-expanded:bg-hover"
        onPointerEnter={fetchMenu}
        onFocus={fetchMenu}
        onClick={() => {
          setUsed(true);
          setOpen(!open);
        }}
      >
        {current ? (
          <>
            <span className="max-w-40 truncate text-muted max-sm:max-w-24">{accountName(current)}</span>
            <Money usd={current.available_usd} className="font-medium" />
          </>
        ) : (
          <span className="text-muted">Choose an account</span>
        )}
        <ChevronsUpDown aria-hidden className="size-3.5 shrink-0 text-muted" />
      </button>
      {used && (
        <AccountMenu
          opener={button}
          open={open}
          onOpenChange={setOpen}
          accounts={data.accounts}
          currentId={current?.id ?? null}
        />
      )}
    </>
  );
}
