'use client';

import type { ReactNode } from 'react';
import { PURCHASE_BOUNDS } from '@/server/money/billing/limits';
import type { Preferences, PurchaseTerms } from '@/server/money/billing/schema';
import { Card, CardHeader } from '../ui/card';
import { DateTime } from '../ui/date-time';
import { formatMoney } from '../ui/money';
import { ReloadStoppedNotice } from './account-notices';
import { AutoRechargeForm } from './auto-recharge-form';
import { MonthlyLimitForm, SpentThisMonth } from './monthly-limit-form';
import type { Billing } from './queries';
import { SavedCard } from './saved-card';

interface SpendingCardProps {
  billing: Billing;
  preferences: Preferences;
  /** False for members, who can only view the limit. */
  editable: boolean;
  /** How this gateway sells credit. */
  terms: PurchaseTerms;
  disputed: boolean;
}

const LIMIT_TEXT = 'The most that calls may spend in a calendar month (UTC).';

/** What buys credit by itself and what bounds spending, with what happens at each limit. */
export function SpendingCard({ billing, preferences, editable, terms, disputed }: SpendingCardProps) {
  const recharges = editable && terms.mode !== 'none';
  const { auto_reload_stopped_at: stoppedAt, auto_reload_stopped_reason: reason } = preferences;
  return (
    <Card>
      {recharges ? (
        <CardHeader title="Auto-recharge and limits" />
      ) : (
        <CardHeader title="Monthly limit" description={LIMIT_TEXT} />
      )}
      {recharges && stoppedAt && (
        <div className="px-4 pt-4 sm:px-5 sm:pt-5">
          <ReloadStoppedNotice stoppedAt={stoppedAt} reason={reason} />
        </div>
      )}
      <div className={recharges ? 'grid lg:grid-cols-2 lg:divide-x' : undefined}>
        {recharges && (
          <Section
            head={{
              title: 'Auto-recharge',
              description: disputed
                ? 'Paused while a payment is disputed.'
                : 'Buys credit with the saved card before it runs out.',
            }}
            foot={<SavedCard billing={billing} card={preferences.saved_card} />}
          >
            <AutoRechargeForm billing={billing} preferences={preferences} terms={terms} />
          </Section>
        )}
        <Section
          head={recharges && { title: 'Monthly limit', description: LIMIT_TEXT }}
          foot={<LimitFacts preferences={preferences} recharges={recharges} />}
        >
          <SpentThisMonth preferences={preferences} />
          {editable && <MonthlyLimitForm billing={billing} preferences={preferences} />}
        </Section>
      </div>
    </Card>
  );
}

interface SectionProps {
  /** False for the only section, which the card names. */
  head: false | { title: string; description: string };
  foot: ReactNode;
  children: ReactNode;
}

function Section({ head, foot, children }: SectionProps) {
  return (
    <section className="flex min-w-0 flex-col max-lg:[&+section]:border-t">
      <div className="flex grow flex-col gap-5 p-4 sm:p-5">
        {head && (
          <div>
            <h3 className="font-semibold text-sm">{head.title}</h3>
            <p className="text-muted text-sm">{head.description}</p>
          </div>
        )}
        {children}
      </div>
      {foot}
    </section>
  );
}

function LimitFacts({ preferences, recharges }: { preferences: Preferences; recharges: boolean }) {
  const { min_usd, max_usd } = PURCHASE_BOUNDS;
  return (
    <dl className="grid gap-3 border-t p-4 text-sm sm:px-5">
      <Fact name="At the limit">
        Calls that would exceed it are refused with <code>SPENDING_LIMIT_EXCEEDED</code>. Free tools go on
        working.
      </Fact>
      <Fact name="Resets">
        <DateTime at={preferences.spending_resets_at} format="exact" className="whitespace-normal" />, when
        the next month begins
      </Fact>
      {recharges && (
        <Fact name="Purchases">
          {formatMoney(min_usd)} to {formatMoney(max_usd)} each. Auto-recharge charges at most 3 times per
          hour and 10 times per day, within its daily limit.
        </Fact>
      )}
    </dl>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="grid gap-x-4 sm:grid-cols-[7rem_minmax(0,1fr)]">
      <dt className="text-muted">{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
