import type { ApiKey } from '@/server/identity/keys/schema';
import { addUsd } from '../shared/format';
import { DateTime } from '../ui/date-time';
import { Meter } from '../ui/meter';
import { formatCents, formatMoney, Money } from '../ui/money';

const THIS_PERIOD = { day: 'today', week: 'this week', month: 'this month' } as const;

interface Allowance {
  used: number;
  max: number;
  period?: string;
  /** Null: it does not reset. */
  resetsAt: string | null;
}

/** The credit a key has used, of the limit that its calls reach first. */
export function KeyAllowance({ apiKey }: { apiKey: ApiKey }) {
  const tightest = findTightest(apiKey);
  if (!tightest)
    return (
      <span className="whitespace-nowrap">
        <Money usd={apiKey.credits_used} /> <span className="text-muted">used, no limit</span>
      </span>
    );
  const { used, max, period, resetsAt } = tightest;
  return (
    <div className="flex w-44 flex-col gap-1.5 max-sm:items-end">
      <span className="whitespace-nowrap">
        <Money usd={used} /> <span className="text-muted">of</span> <Money usd={max} exact />
        {period && <span className="text-muted"> {period}</span>}
      </span>
      <Meter
        label={`Credit used by ${apiKey.name}`}
        value={used}
        max={max}
        valueText={[formatCents(used), 'of', formatMoney(max), period].filter(Boolean).join(' ')}
      />
      {resetsAt && (
        <span className="text-muted text-xs">
          Resets <DateTime at={resetsAt} format="age" />
        </span>
      )}
    </div>
  );
}

/** The limit with the least left; null if the key has none. */
function findTightest({ credits, credits_used: total, spend_limit: limit }: ApiKey): Allowance | null {
  const ofKey =
    credits === null ? null : { used: total, max: addUsd(total, Math.max(0, credits)), resetsAt: null };
  if (limit === null) return ofKey;
  const ofPeriod = {
    used: limit.spent_usd,
    max: limit.amount_usd,
    period: THIS_PERIOD[limit.period],
    resetsAt: limit.resets_at,
  };
  const left = ({ used, max }: Allowance) => addUsd(max, -used);
  return ofKey && left(ofKey) < left(ofPeriod) ? ofKey : ofPeriod;
}
