'use client';

import { useState } from 'react';
import type { BillingBalance } from '@/server/money/billing/schema';
import { accountName, useChosenSlug } from '../shared/account-scope';
import { useBalance } from '../shared/queries';
import { ChevronsUpDown } from '../ui/icons';
import { Money } from '../ui/money';
import { Popover } from '../ui/popover';
import { AccountList } from './account-list';

/** The current account with its available balance; opens the list of accounts. */
export function AccountSwitcher({ initial }: { initial: BillingBalance | undefined }) {
  const { data } = useBalance(initial);
  const chosen = useChosenSlug();
  const [open, setOpen] = useState(false);
  const personal = data?.accounts.find(({ type }) => type !== 'team');
  if (!data || !personal) return null;
  const current = chosen === null ? personal : data.accounts.find(({ slug }) => slug === chosen);
  return (
    <Popover
      open={open}
      onOpenChange={setOpen}
      label="Accounts"
      className="flex max-h-[min(28rem,80dvh)] w-88 max-w-[calc(100vw-1rem)] flex-col"
      trigger={
        <button
          type="button"
          className="flex h-9 min-w-0 items-center gap-2 rounded-md px-2.5 text-sm hover:bg-hover data-[state=open]:bg-hover"
        >
          <span className="sr-only">Accounts: </span>
          {current ? (
            <>
              <span className="max-w-40 truncate text-muted max-sm:max-w-24">{accountName(current)}</span>
              <Money usd={current.available_usd} down className="font-medium" />
            </>
          ) : (
            <span className="text-muted">Choose an account</span>
          )}
          <ChevronsUpDown aria-hidden className="size-3.5 shrink-0 text-muted" />
        </button>
      }
    >
      <AccountList accounts={data.accounts} currentId={current?.id ?? null} onChosen={() => setOpen(false)} />
    </Popover>
  );
}
