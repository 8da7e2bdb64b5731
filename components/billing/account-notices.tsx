import Link from 'next/link';
import type { ReactNode } from 'react';
import type { Preferences } from '@/server/money/billing/schema';
import { buttonClass } from '../ui/button-class';
import { DateTime } from '../ui/date-time';
import { Money } from '../ui/money';
import { Notice } from '../ui/notice';

interface Acted {
  /** Omitted if the page already shows what to act on. */
  action?: ReactNode;
}

/** A link to the page that resolves the problem. */
export function NoticeLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <Link href={href} className={buttonClass({ size: 'sm' })}>
      {children}
    </Link>
  );
}

function Acting({ action, children }: Acted & { children: ReactNode }) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
      <p className="min-w-0 max-w-2xl flex-1 basis-72">{children}</p>
      {action}
    </div>
  );
}

export function DebtNotice({ debtUsd, action }: Acted & { debtUsd: number }) {
  return (
    <Notice
      tone="danger"
      title={
        <>
          This account owes <Money usd={debtUsd} />
        </>
      }
    >
      <Acting action={action}>
        A refund or dispute reversed credit that was already spent. Paid calls are refused until the debt is
        paid. The next credit you buy pays it off first.
      </Acting>
    </Notice>
  );
}

export function DisputeNotice({ action }: Acted) {
  return (
    <Notice tone="danger" title="A payment of this account is disputed">
      <Acting action={action}>
        Purchases and paid calls are blocked until the dispute is resolved; free calls still work. If the
        dispute is a mistake, withdraw it with the bank that issued the card, or ask the operator of this
        gateway.
      </Acting>
    </Notice>
  );
}

interface ReloadStoppedNoticeProps extends Acted {
  stoppedAt: string;
  reason: Preferences['auto_reload_stopped_reason'];
}

export function ReloadStoppedNotice({ stoppedAt, reason, action }: ReloadStoppedNoticeProps) {
  const when = <DateTime at={stoppedAt} format="exact" className="whitespace-normal" />;
  const cap = reason === null || reason === 'declined' ? null : CAPS[reason];
  return (
    <Notice tone="warning" title="Auto-recharge was turned off">
      <Acting action={action}>
        {cap ? (
          <>
            It reached {cap}, {when}. Check which agents spend the credit, then turn auto-recharge back on.
            The next charge waits until the limit allows it.
          </>
        ) : (
          <>
            The saved card was declined three times in a row, most recently {when}. Save another card or
            contact your bank, then turn auto-recharge back on.
          </>
        )}
      </Acting>
    </Notice>
  );
}

const CAPS = {
  hourly_cap: 'its limit of three charges per hour',
  daily_cap: 'its limit of ten charges per day',
  daily_limit: 'its daily limit',
};

/** From this share of the monthly limit on, a notice is shown. */
const LIMIT_NOTICE_SHARE = 0.8;

interface LimitNoticeProps extends Acted {
  preferences: Preferences;
}

/** Nothing below 80 % of the monthly limit. */
export function LimitNotice({ preferences, action }: LimitNoticeProps) {
  const { budgetLimit: limit, spent_this_month_usd: spent, spending_resets_at: resetsAt } = preferences;
  if (limit === null || spent < limit * LIMIT_NOTICE_SHARE) return null;
  const reached = spent >= limit;
  return (
    <Notice
      tone={reached ? 'danger' : 'warning'}
      title={
        reached
          ? 'The monthly limit is used up'
          : `${Math.floor((spent / limit) * 100)}% of the monthly limit is used`
      }
    >
      <Acting action={action}>
        <Money usd={spent} /> of <Money usd={limit} /> is spent. Paid calls above the limit are refused until{' '}
        <DateTime at={resetsAt} format="exact" className="whitespace-normal" />; free tools go on working.
      </Acting>
    </Notice>
  );
}

export function LowBalanceNotice({ availableUsd, action }: Acted & { availableUsd: number }) {
  const none = availableUsd <= 0;
  return (
    <Notice
      tone="warning"
      title={
        none ? (
          'You’re out of credit'
        ) : (
          <>
            Only <Money usd={availableUsd} down /> is left
          </>
        )
      }
    >
      <Acting action={action}>
        {none ? 'Paid calls are refused until you buy credit.' : 'Calls that cost more are refused.'}
      </Acting>
    </Notice>
  );
}
