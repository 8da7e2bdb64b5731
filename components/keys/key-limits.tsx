import type { ReactNode } from 'react';
import type { ApiKey, KeyPage } from '@/server/identity/keys/schema';
import { addUsd } from '../shared/format';
import { Card, CardHeader } from '../ui/card';
import { DateTime } from '../ui/date-time';
import { formatNumber } from '../ui/format-number';
import { Meter } from '../ui/meter';
import { formatCents, formatMoney } from '../ui/money';

const PERIOD_LIMIT = { day: 'Daily limit', week: 'Weekly limit', month: 'Monthly limit' } as const;

/** Every limit of a key, with what is left of it and when it starts again. */
export function KeyLimits({ page }: { page: KeyPage }) {
  const { key, windows, concurrent } = page;
  return (
    <Card>
      <CardHeader
        title="Limits"
        description="Money limits are the key’s own. The balance of the account applies as well."
      />
      <dl className="grid gap-x-6 gap-y-5 p-4 text-sm sm:grid-cols-2 sm:p-5 lg:grid-cols-3">
        <CreditLimit apiKey={key} />
        <SpendLimit apiKey={key} />
        {windows.map((window) => (
          <Limit
            key={window.per}
            name={`Calls ${window.per}`}
            value={`${formatNumber(window.remaining)} of ${formatNumber(window.limit)} left`}
            used={window.limit - window.remaining}
            max={window.limit}
            note={
              window.remaining === window.limit
                ? 'Starts with the next call'
                : `Resets within ${formatSeconds(window.reset_seconds)}`
            }
          />
        ))}
        <Limit
          name="Calls at once"
          value={`${concurrent.remaining} of ${concurrent.limit} left`}
          used={concurrent.running}
          max={concurrent.limit}
          note={`${concurrent.running} running now`}
        />
      </dl>
    </Card>
  );
}

function CreditLimit({ apiKey }: { apiKey: ApiKey }) {
  const { credits, credits_used: used } = apiKey;
  if (credits === null)
    return <Limit name="Credit limit" value="No limit" note={`${formatCents(used)} used in total`} />;
  const max = addUsd(used, Math.max(0, credits));
  return (
    <Limit
      name="Credit limit"
      value={`${formatCents(Math.max(0, credits), 'auto', true)} of ${formatMoney(max)} left`}
      used={used}
      max={max}
      note={`${formatCents(used)} used in total; it does not reset`}
    />
  );
}

function SpendLimit({ apiKey: { spend_limit: limit } }: { apiKey: ApiKey }) {
  if (limit === null) return <Limit name="Spending limit" value="No limit" note="Per day, week or month" />;
  const left = Math.max(0, addUsd(limit.amount_usd, -limit.spent_usd));
  return (
    <Limit
      name={PERIOD_LIMIT[limit.period]}
      value={`${formatCents(left, 'auto', true)} of ${formatMoney(limit.amount_usd)} left`}
      used={limit.spent_usd}
      max={limit.amount_usd}
      note={
        <>
          Resets <DateTime at={limit.resets_at} format="exact" />
        </>
      }
    />
  );
}

interface LimitProps {
  name: string;
  value: string;
  note: ReactNode;
  used?: number;
  /** Without it there is no limit, and no bar. */
  max?: number;
}

function Limit({ name, value, note, used = 0, max }: LimitProps) {
  return (
    <div className="flex min-w-0 flex-col gap-1.5">
      <dt className="text-muted">{name}</dt>
      <dd className="font-medium tabular-nums">{value}</dd>
      {max !== undefined && (
        <dd>
          <Meter label={name} value={used} max={max} valueText={value} />
        </dd>
      )}
      <dd className="text-muted text-xs">{note}</dd>
    </div>
  );
}

/** `a minute`, `42 minutes`, `7 hours`, rounded up. */
function formatSeconds(seconds: number): string {
  if (seconds <= 60) return 'a minute';
  return seconds <= 7_200 ? `${Math.ceil(seconds / 60)} minutes` : `${Math.ceil(seconds / 3_600)} hours`;
}
