'use client';

import type { BillingBalance, Preferences, Statement } from '@/server/money/billing/schema';
import { useBalance } from '../shared/queries';
import {
  DebtNotice,
  DisputeNotice,
  LowBalanceNotice,
  NoticeLink,
  ReloadStoppedNotice,
} from './account-notices';
import { usePreferences, useStanding } from './queries';

/** Under this a person is told before their agents are. */
const LOW_USD = 1;

interface OverviewNoticesProps {
  balance: BillingBalance;
  preferences: Preferences;
  statement: Statement;
  /** Who has not spent anything yet is led by the first steps instead. */
  hasSpent: boolean;
}

/** What stops paid calls, or soon will, each with the way to mend it. */
export function OverviewNotices({ balance, preferences, statement, hasSpent }: OverviewNoticesProps) {
  const available = (useBalance(balance).data ?? balance).available_usd;
  const { debt_usd: debt, disputed } = useStanding(undefined, statement).data;
  const reload = usePreferences(undefined, preferences).data;
  const reloads = reload.autoReloadEnabled && reload.saved_card !== null;
  return (
    <>
      {debt > 0 && (
        <DebtNotice
          debtUsd={debt}
          action={!disputed && <NoticeLink href="/dashboard/billing">Buy credit</NoticeLink>}
        />
      )}
      {disputed && (
        <DisputeNotice
          action={<NoticeLink href="/dashboard/billing?kind=dispute#statement">See the statement</NoticeLink>}
        />
      )}
      {reload.auto_reload_stopped_at && (
        <ReloadStoppedNotice
          stoppedAt={reload.auto_reload_stopped_at}
          reason={reload.auto_reload_stopped_reason}
          action={<NoticeLink href="/dashboard/billing">Fix it in Billing</NoticeLink>}
        />
      )}
      {hasSpent && debt === 0 && available < LOW_USD && !reloads && (
        <LowBalanceNotice
          availableUsd={available}
          action={<NoticeLink href="/dashboard/billing">Add credit</NoticeLink>}
        />
      )}
    </>
  );
}
