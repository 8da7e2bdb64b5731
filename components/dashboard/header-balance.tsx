'use client';

import Link from 'next/link';
import type { BillingBalance } from '@/server/billing/schema';
import { Money } from '../ui/money';
import { useBalance } from './queries';

/** What can be spent, on every page. */
export function HeaderBalance({ initial }: { initial: BillingBalance | undefined }) {
  const { data } = useBalance(initial);
  if (!data) return null;
  return (
    <Link
      href="/dashboard"
      className="flex h-9 items-center gap-2 rounded-md px-2.5 text-sm hover:bg-hover"
      aria-live="off"
    >
      <span className="text-muted">Balance</span>
      <Money usd={data.available_usd} className="font-medium" />
    </Link>
  );
}
