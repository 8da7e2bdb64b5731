'use client';

import type { BillingBalance, Preferences, Statement } from '@/server/money/billing/schema';
import { useBalance } from '../shared/queries';
import {
  DebtNotice,
  DisputeNotice,
  LimitNotice,
  LowBalanceNotice,
  NoticeLink,
  ReloadStoppedNotice,
} from './account-notices';
import { usePreferences, useStanding } from './queries';

/** Below this balance, the overview shows a low-balance notice. */
const LOW_USD = 1;

interface OverviewNoticesProps {
  balance: BillingBalance;
  preferences: Preferences;
  statement: Statement;
  /** False for a new account, which sees Getting started instead. */
  hasSpent: boolean;
  /** The page names the monthly limit already: it refuses calls. */
  namesLimit: boolean;
}

/** Notices about what blocks paid calls, or soon will, each with an action. */
export function OverviewNotices({
  balance,
  preferences,
  statement,
  hasSpent,
  namesLimit,
}: OverviewNoticesProps) {
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
          action={<NoticeLink href="/dashboard/billing?kind=dispute#statement">View statement</NoticeLink>}
        />
      )}
      {reload.auto_reload_stopped_at && (
        <ReloadStoppedNotice
          stoppedAt={reload.auto_reload_stopped_at}
          reason={reload.auto_reload_stopped_reason}
          action={<NoticeLink href="/dashboard/billing">Fix in Billing</NoticeLink>}
        />
      )}
      {!namesLimit && (
        <LimitNotice
          preferences={reload}
          action={<NoticeLink href="/dashboard/billing#monthly-limit">Raise the limit</NoticeLink>}
        />
      )}
      {hasSpent && debt === 0 && !disputed && available < LOW_USD && !reloads && (
        <LowBalanceNotice
          availableUsd={available}
          action={<NoticeLink href="/dashboard/billing">Buy credit</NoticeLink>}
        />
      )}
    </>
  );
}
