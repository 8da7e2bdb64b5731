'use client';

import type { NearLimits } from '@/server/usage/attention-schema';
import { formatCount } from '../shared/format';
import { KEY_STATE_WORDS } from '../shared/key-state';
import { DateTime } from '../ui/date-time';
import { IntentLink } from '../ui/intent-link';
import { Meter } from '../ui/meter';
import { formatCents, formatMoney, Money } from '../ui/money';
import { useNearLimits } from '../usage/queries';

type NearLimit = NearLimits['limits'][number];

interface NearLimitsListProps {
  /** The slug of the selected team; undefined for the personal account. */
  billing: string | undefined;
  initial: NearLimits;
}

/** Spending limits from 80 % on, the fullest first, each linked to where it is changed. */
export function NearLimitsList({ billing, initial }: NearLimitsListProps) {
  const { limits, left_out: leftOut } = useNearLimits(billing, initial).data;
  const title = limits.some(isReached) ? 'Limits reached or near their end' : 'Limits near their end';
  return (
    <section aria-label={title} className="min-w-0">
      <h2 className="text-muted text-sm">{title}</h2>
      {limits.length === 0 ? (
        <p className="mt-1 text-sm">None. A spending limit appears here once 80% of it is used.</p>
      ) : (
        <ul className="mt-2 flex flex-col gap-3">
          {limits.map((limit) => (
            <li key={`${limit.kind} ${limit.key_id} ${limit.period}`} className="text-sm">
              <NearLimitRow limit={limit} billing={billing} />
            </li>
          ))}
        </ul>
      )}
      {leftOut > 0 && (
        <p className="mt-3 text-muted text-sm">
          And {formatCount(leftOut, 'more limit')}:{' '}
          <IntentLink href={withBilling('/dashboard/keys', billing)} className="link">
            all keys
          </IntentLink>
        </p>
      )}
    </section>
  );
}

const PERIOD_WORDS = { day: 'today', week: 'this week', month: 'this month' } as const;

function NearLimitRow({ limit, billing }: { limit: NearLimit; billing: string | undefined }) {
  const { spent_usd: spent, limit_usd: most, period, resets_at: resetsAt } = limit;
  const name = nameLimit(limit);
  return (
    <>
      <span className="mb-1 flex flex-wrap items-baseline justify-between gap-x-4">
        <IntentLink
          href={hrefOf(limit, billing)}
          className="min-w-0 break-words rounded-sm py-0.5 font-medium hover:underline"
        >
          {name}
        </IntentLink>
        <span className="text-muted">
          <Money usd={spent} className="text-ink" /> of <Money usd={most} exact />
          {period && ` ${PERIOD_WORDS[period]}`}
        </span>
      </span>
      <Meter
        label={name}
        value={spent}
        max={most}
        valueText={`${formatCents(spent)} of ${formatMoney(most)}`}
      />
      <span className="mt-1 block text-muted text-xs">
        {isReached(limit) && <span className="font-medium text-warning">{describeReached(limit)}. </span>}
        {resetsAt === null ? (
          'In total; it does not reset'
        ) : (
          <>
            Resets <DateTime at={resetsAt} format="age" />
          </>
        )}
      </span>
    </>
  );
}

/** The words of the status of a key. */
function describeReached({ kind, period }: NearLimit): string {
  return KEY_STATE_WORDS[kind === 'key' && period === null ? 'used-up' : 'limit'];
}

function isReached({ spent_usd: spent, limit_usd: most }: NearLimit): boolean {
  return spent >= most;
}

function nameLimit({ kind, name }: NearLimit): string {
  if (kind === 'key') return name ?? '';
  return kind === 'account' ? 'Monthly limit of the account' : 'Your monthly limit in the team';
}

function hrefOf({ kind, key_id: id }: NearLimit, billing: string | undefined): string {
  if (kind === 'key') return `/dashboard/keys/${id}`;
  if (kind === 'account') return `${withBilling('/dashboard/billing', billing)}#monthly-limit`;
  return `/dashboard/team/${encodeURIComponent(billing ?? '')}`;
}

function withBilling(path: string, billing: string | undefined): string {
  return billing === undefined ? path : `${path}?billing=${encodeURIComponent(billing)}`;
}
