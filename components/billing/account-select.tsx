'use client';

import { useRouter } from 'next/navigation';
import { useTransition } from 'react';
import type { BillingBalance } from '@/server/money/billing/schema';
import { cn } from '../ui/cn';
import { Select } from '../ui/select';

interface AccountSelectProps {
  accounts: BillingBalance['accounts'];
  /** The slug of the selected team; undefined for the personal account. */
  billing: string | undefined;
}

/** Selects the account to show. Rendered only if the person has more than one. */
export function AccountSelect({ accounts, billing }: AccountSelectProps) {
  const router = useRouter();
  const [pending, startTransition] = useTransition();
  if (accounts.length < 2) return null;
  return (
    <Select
      aria-label="Account"
      aria-busy={pending}
      value={billing ?? ''}
      onChange={({ target }) =>
        startTransition(() =>
          router.push(
            target.value
              ? `/dashboard/billing?billing=${encodeURIComponent(target.value)}`
              : '/dashboard/billing',
          ),
        )
      }
      className={cn('w-56', pending && 'animate-pulse-soft')}
    >
      {accounts.map((account) => (
        <option key={account.id} value={account.slug ?? ''}>
          {account.type === 'team' ? account.name : 'Personal'}
        </option>
      ))}
    </Select>
  );
}
