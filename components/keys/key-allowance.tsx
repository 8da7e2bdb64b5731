import type { ApiKey } from '@/server/identity/keys/schema';
import { addUsd } from '../shared/format';
import { Meter } from '../ui/meter';
import { formatCents, formatMoney, Money } from '../ui/money';

const THIS_PERIOD = { day: 'today', week: 'this week', month: 'this month' } as const;

/** The credit a key has used, and its limits if it has some. */
export function KeyAllowance({ apiKey }: { apiKey: ApiKey }) {
  const { spend_limit: limit } = apiKey;
  return (
    <div className="flex flex-col gap-1 max-sm:items-end">
      <CreditUse apiKey={apiKey} />
      {limit && (
        <span className="whitespace-nowrap text-muted text-xs">
          {formatCents(limit.spent_usd)} of {formatMoney(limit.amount_usd)} {THIS_PERIOD[limit.period]}
        </span>
      )}
    </div>
  );
}

function CreditUse({ apiKey }: { apiKey: ApiKey }) {
  if (apiKey.credits === null)
    return (
      <span className="whitespace-nowrap">
        <Money usd={apiKey.credits_used} />{' '}
        <span className="text-muted">{apiKey.spend_limit ? 'used' : 'used, no limit'}</span>
      </span>
    );
  const limit = addUsd(apiKey.credits_used, Math.max(0, apiKey.credits));
  const words = `${formatCents(apiKey.credits_used)} of ${formatMoney(limit)}`;
  return (
    <div className="flex w-44 flex-col gap-1.5 max-sm:items-end">
      <span className="whitespace-nowrap">
        <Money usd={apiKey.credits_used} /> <span className="text-muted">of</span> <Money usd={limit} exact />
      </span>
      <Meter
        label={`Credit used by ${apiKey.name}`}
        value={apiKey.credits_used}
        max={limit}
        valueText={words}
      />
    </div>
  );
}
