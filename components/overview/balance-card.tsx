'use client';

import Link from 'next/link';
import type { BillingBalance, Preferences } from '@/server/money/billing/schema';
import type { UsageOverview } from '@/server/usage/schema';
import { formatCount } from '../shared/format';
import { useBalance } from '../shared/queries';
import { buttonClass } from '../ui/button-class';
import { Card } from '../ui/card';
import { Plus, RefreshCw } from '../ui/icons';
import { formatMoney, Money } from '../ui/money';
import { Stat } from '../ui/stat';
import { estimateRunway } from './runway';

interface BalanceCardProps {
  balance: BillingBalance;
  /** The slug of the selected team; undefined for the personal account. */
  billing: string | undefined;
  summary: UsageOverview;
  preferences: Preferences;
}

/** The available balance, auto-recharge, and spending. */
export function BalanceCard({ balance, billing, summary, preferences }: BalanceCardProps) {
  const { accounts } = useBalance(balance).data ?? balance;
  const account = accounts.find(({ slug }) => (slug ?? undefined) === billing);
  const disputed = account?.disputed === true;
  const page = billing ? `/dashboard/billing?billing=${encodeURIComponent(billing)}` : '/dashboard/billing';
  return (
    <Card className="grid lg:grid-cols-[minmax(0,5fr)_minmax(0,7fr)]">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3 p-4 sm:p-5">
        <dl>
          <dt className="text-muted text-sm">
            {account?.type === 'team' ? `Balance of ${account.name}` : 'Balance'}
          </dt>
          <dd className="mt-1 font-semibold text-3xl tracking-tight">
            <Money usd={account?.available_usd ?? balance.available_usd} headline down />
          </dd>
        </dl>
        {disputed ? (
          <p className="text-muted text-sm">
            Purchases and auto-recharge are paused while a payment is disputed.
          </p>
        ) : (
          <>
            <Link href={page} className={buttonClass()}>
              <Plus aria-hidden />
              Buy credit
            </Link>
            <ReloadHint
              preferences={preferences}
              page={page}
              runway={estimateRunway(account?.available_usd ?? balance.available_usd, summary.week.cost_usd)}
            />
          </>
        )}
      </div>
      <section aria-label="Spent" className="border-t p-4 sm:p-5 lg:border-t-0 lg:border-l">
        <dl className="grid grid-cols-3 items-end gap-x-4">
          <Spend label="Spent, last 24 hours" of={summary.day} />
          <Spend label="Last 7 days" of={summary.week} />
          <Spend label="Last 30 days" of={summary.month} />
        </dl>
      </section>
    </Card>
  );
}

interface ReloadHintProps {
  preferences: Preferences;
  page: string;
  /** How long the balance lasts without a purchase. */
  runway: string | null;
}

function ReloadHint({ preferences, page, runway }: ReloadHintProps) {
  const { autoReloadEnabled, autoReloadAmount, autoReloadThreshold } = preferences;
  return (
    <p className="flex w-full items-center gap-1.5 text-muted text-sm">
      <RefreshCw aria-hidden className="size-3.5 shrink-0" />
      <span>
        {autoReloadEnabled
          ? `Adds ${formatMoney(autoReloadAmount)} when it falls below ${formatMoney(autoReloadThreshold)}. `
          : `${runway ? `Lasts ${runway} at the pace of the last 7 days. ` : ''}Auto-recharge is off. `}
        <Link href={page} className="link">
          {autoReloadEnabled ? 'Change' : 'Set up auto-recharge'}
        </Link>
      </span>
    </p>
  );
}

function Spend({ label, of }: { label: string; of: UsageOverview['day'] }) {
  return (
    <Stat
      label={label}
      value={<Money usd={of.cost_usd} headline className="block text-base sm:text-xl" />}
      note={formatCount(of.calls, 'call')}
    />
  );
}
