'use client';

import type { BillingBalance, Preferences, Statement } from '@/server/billing/schema';
import type { ApiKey } from '@/server/keys/schema';
import type { UsageHistory, UsageSummary } from '@/server/usage/schema';
import { OverviewNotices } from '../billing/overview-notices';
import { PageHeader } from '../ui/page-header';
import { BalanceCard } from './balance-card';
import { CallsPanel } from './calls-panel';
import { GettingStarted } from './getting-started';
import { useKeys, useUsage } from './queries';
import { UsagePanel } from './usage-panel';

interface OverviewProps {
  balance: BillingBalance;
  usage: Record<'day' | 'week' | 'month' | 'all', UsageSummary>;
  /** The one of them that the URL names. */
  shown: UsageSummary;
  history: UsageHistory;
  keys: ApiKey[];
  preferences: Preferences;
  /** Its head: debt and disputes. */
  statement: Statement;
}

/** While the first steps are open the page looks for their traces this often. */
const WATCH_MS = 5_000;

export function Overview(props: OverviewProps) {
  const { balance, usage, shown, history, keys } = props;
  const total =
    useUsage('all', undefined, usage.all, usage.all.cost_usd > 0 ? undefined : WATCH_MS).data ?? usage.all;
  const progress = {
    hasKey: (useKeys(keys).data ?? keys).some((key) => key.status === 'active') || total.calls > 0,
    hasCalled: total.calls > 0,
    hasSpent: total.cost_usd > 0,
  };
  const refetchMs = progress.hasKey && !progress.hasSpent ? WATCH_MS : undefined;
  return (
    <>
      <PageHeader title="Overview" />
      <OverviewNotices
        balance={balance}
        preferences={props.preferences}
        statement={props.statement}
        hasSpent={progress.hasSpent}
      />
      <GettingStarted progress={progress} balance={balance} />
      <BalanceCard
        balance={balance}
        day={usage.day}
        week={usage.week}
        month={usage.month}
        refetchMs={refetchMs}
      />
      {total.calls > 0 && <UsagePanel initial={shown} refetchMs={refetchMs} />}
      <CallsPanel title="Last calls" initial={history} refetchMs={refetchMs} />
    </>
  );
}
