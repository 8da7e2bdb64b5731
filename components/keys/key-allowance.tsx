import type { ApiKey } from '@/server/identity/keys/schema';
import { addUsd } from '../shared/format';
import { Meter } from '../ui/meter';
import { formatMoney, Money } from '../ui/money';

/** The credit a key has used, and its limit if it has one. */
export function KeyAllowance({ apiKey }: { apiKey: ApiKey }) {
  if (apiKey.credits === null)
    return (
      <span className="whitespace-nowrap">
        <Money usd={apiKey.credits_used} /> <span className="text-muted">used, no limit</span>
      </span>
    );
  const limit = addUsd(apiKey.credits_used, Math.max(0, apiKey.credits));
  const words = `${formatMoney(apiKey.credits_used)} of ${formatMoney(limit)}`;
  return (
    <div className="flex w-44 flex-col gap-1.5 max-sm:items-end">
      <span className="whitespace-nowrap">
        <Money usd={apiKey.credits_used} /> <span className="text-muted">of</span> <Money usd={limit} />
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
