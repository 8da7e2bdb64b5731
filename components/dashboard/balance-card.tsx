'use client';

import { Plus } from 'lucide-react';
import Link from 'next/link';
import type { BillingBalance } from '@/server/billing/schema';
import type { UsageSummary } from '@/server/usage/schema';
import { buttonClass } from '../ui/button';
import { Card } from '../ui/card';
import { Money } from '../ui/money';
import { Stat } from '../ui/stat';
import { formatCount } from './format';
import { useBalance, useUsage } from './queries';

interface BalanceCardProps {
  balance: BillingBalance;
  day: UsageSummary;
  week: UsageSummary;
  month: UsageSummary;
  refetchMs?: number;
}

/** What can be spent, and what was. */
export function BalanceCard({ balance, day, week, month, refetchMs }: BalanceCardProps) {
  const available = (useBalance(balance).data ?? balance).available_usd;
  return (
    <Card className="grid lg:grid-cols-[minmax(0,5fr)_minmax(0,7fr)]">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3 p-4 sm:p-5">
        <dl>
          <dt className="text-muted text-sm">Balance</dt>
          <dd className="mt-1 font-semibold text-3xl tracking-tight">
            <Money usd={available} />
          </dd>
        </dl>
        <Link href="/dashboard/billing" className={buttonClass()}>
          <Plus aria-hidden />
          Add credit
        </Link>
      </div>
      <section aria-label="Spent" className="border-t p-4 sm:p-5 lg:border-t-0 lg:border-l">
        <dl className="grid grid-cols-3 gap-x-4">
          <Spend label="Spent in 24 h" initial={day} refetchMs={refetchMs} />
          <Spend label="In 7 days" initial={week} refetchMs={refetchMs} />
          <Spend label="In 30 days" initial={month} refetchMs={refetchMs} />
        </dl>
      </section>
    </Card>
  );
}

function Spend({ label, initial, refetchMs }: { label: string; initial: UsageSummary; refetchMs?: number }) {
  const usage = useUsage(initial.period, undefined, initial, refetchMs).data ?? initial;
  return (
    <Stat
      label={label}
      value={<Money usd={usage.cost_usd} className="block text-base sm:text-xl" />}
      note={formatCount(usage.calls, 'call')}
    />
  );
}
