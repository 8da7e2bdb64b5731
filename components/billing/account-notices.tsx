import Link from 'next/link';
import type { ReactNode } from 'react';
import type { Preferences } from '@/server/money/billing/schema';
import { buttonClass } from '../ui/button';
import { DateTime } from '../ui/date-time';
import { Money } from '../ui/money';
import { Notice } from '../ui/notice';

interface Acted {
  /** What to press; left out where the thing itself is on the page. */
  action?: ReactNode;
}

/** A link to where the trouble is mended. */
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
        A refund or a dispute took back credit that was already spent. Calls that cost something wait until it
        is paid; the next credit you buy pays it first.
      </Acting>
    </Notice>
  );
}

export function DisputeNotice({ action }: Acted) {
  return (
    <Notice tone="danger" title="A payment of this account is disputed">
      <Acting action={action}>
        Nothing is bought or spent until that is decided; free calls go on. If the dispute is a mistake,
        withdraw it with the bank that issued the card, or ask the operator.
      </Acting>
    </Notice>
  );
}

interface ReloadStoppedNoticeProps extends Acted {
  stoppedAt: string;
  reason: Preferences['auto_reload_stopped_reason'];
}

export function ReloadStoppedNotice({ stoppedAt, reason, action }: ReloadStoppedNoticeProps) {
  const when = <DateTime at={stoppedAt} className="whitespace-normal" />;
  const cap = reason === null || reason === 'declined' ? null : CAPS[reason];
  return (
    <Notice tone="warning" title="Auto-reload was switched off">
      <Acting action={action}>
        {cap ? (
          <>
            It reached {cap}, {when}. Check which agents spend the credit, then switch auto-reload on again:
            its next charge waits until the limit allows it.
          </>
        ) : (
          <>
            The saved card was declined three times in a row, the last time {when}. Save another card or ask
            your bank, then switch auto-reload on again.
          </>
        )}
      </Acting>
    </Notice>
  );
}

const CAPS = {
  hourly_cap: 'its limit of three charges an hour',
  daily_cap: 'its limit of ten charges a day',
  daily_limit: 'the most credit that it buys a day',
};

export function LowBalanceNotice({ availableUsd, action }: Acted & { availableUsd: number }) {
  const none = availableUsd <= 0;
  return (
    <Notice
      tone="warning"
      title={
        none ? (
          'No credit is left'
        ) : (
          <>
            Only <Money usd={availableUsd} /> is left
          </>
        )
      }
    >
      <Acting action={action}>
        {none
          ? 'Calls that cost something are refused until there is credit again.'
          : 'Calls that cost more than that are refused.'}
      </Acting>
    </Notice>
  );
}
