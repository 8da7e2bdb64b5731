'use client';

import Link from 'next/link';
import type { BillingBalance, Preferences } from '@/server/money/billing/schema';
import type { NearLimits } from '@/server/usage/attention-schema';
import type { UsageOverview } from '@/server/usage/schema';
import { useBalance } from '../shared/queries';
import { buttonClass } from '../ui/button-class';
import { Card } from '../ui/card';
import { Plus, RefreshCw } from '../ui/icons';
import { formatMoney, Money } from '../ui/money';
import { NearLimitsList } from './near-limits';
import { estimateRunway } from './runway';

interface BalanceCardProps {
  balance: BillingBalance;
  /** The slug of the selected team; undefined for the personal account. */
  billing: string | undefined;
  summary: UsageOverview;
  preferences: Preferences;
  limits: NearLimits;
}

/** The available balance, how long it lasts, and the limits that stop calls before it does. */
export function BalanceCard({ balance, billing, summary, preferences, limits }: BalanceCardProps) {
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
              summary={summary}
              runway={estimateRunway(account?.available_usd ?? balance.available_usd, summary.week.cost_usd)}
            />
          </>
        )}
      </div>
      <div className="border-t p-4 sm:p-5 lg:border-t-0 lg:border-l">
        <NearLimitsList billing={billing} initial={limits} />
      </div>
    </Card>
  );
}

interface ReloadHintProps {
  preferences: Preferences;
  page: string;
  summary: UsageOverview;
  /** How long the balance lasts without a purchase. */
  runway: string | null;
}

function ReloadHint({ preferences, page, summary, runway }: ReloadHintProps) {
  const { autoReloadEnabled, autoReloadAmount, autoReloadThreshold } = preferences;
  return (
    <div className="flex w-full flex-col gap-1 text-sm">
      {runway && (
        <p>
          Lasts {runway} at the last 7 days’ rate: <Money usd={summary.week.cost_usd / 7} /> a day,{' '}
          <Money usd={summary.day.cost_usd} /> in the last 24 hours.
        </p>
      )}
      <p className="flex items-center gap-1.5 text-muted">
        <RefreshCw aria-hidden className="size-3.5 shrink-0" />
        <span>
          {autoReloadEnabled
            ? `Adds ${formatMoney(autoReloadAmount)} when it falls below ${formatMoney(autoReloadThreshold)}. `
            : 'Auto-recharge is off. '}
          <Link href={page} className="link">
            {autoReloadEnabled ? 'Change' : 'Set up auto-recharge'}
          </Link>
        </span>
      </p>
    </div>
  );
}
