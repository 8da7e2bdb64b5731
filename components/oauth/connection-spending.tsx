import type { Connection } from '@/server/identity/oauth/schema';
import { addUsd } from '../shared/format';
import { Meter } from '../ui/meter';
import { formatCents, formatMoney, Money } from '../ui/money';

/** The credit an application has spent, and its limit if it has one. */
export function ConnectionSpending({ connection }: { connection: Connection }) {
  const { credits, credits_used: used, name } = connection;
  if (credits === null)
    return (
      <p className="whitespace-nowrap">
        <Money usd={used} /> <span className="text-muted">spent, no limit</span>
      </p>
    );
  const limit = addUsd(used, Math.max(0, credits));
  return (
    <div className="flex w-44 flex-col gap-1.5">
      <p className="whitespace-nowrap">
        <Money usd={used} /> <span className="text-muted">of</span> <Money usd={limit} exact />{' '}
        <span className="text-muted">spent</span>
      </p>
      <Meter
        label={`Spent by ${name}`}
        value={used}
        max={limit}
        valueText={`${formatCents(used)} of ${formatMoney(limit)}`}
      />
    </div>
  );
}
