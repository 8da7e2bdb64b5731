import { CALL_WINDOWS } from '@/server/core/limits/limits';
import type { ApiKey } from '@/server/identity/keys/schema';
import { addUsd, formatCount } from '../shared/format';
import { DateTime } from '../ui/date-time';
import { Meter } from '../ui/meter';
import { formatCents, formatMoney, Money } from '../ui/money';

const PER = { day: 'a day', week: 'a week', month: 'a month' } as const;

interface MoneyLimit {
  used: number;
  max: number;
  /** After the amounts: `a day`, or `in total`. */
  per: string;
  /** Null: it does not reset. */
  resetsAt: string | null;
}

/** The spending limit that a key reaches first, with what is used of it, and how many others. */
export function TightestLimit({ apiKey }: { apiKey: ApiKey }) {
  const [tightest, ...others] = listMoneyLimits(apiKey);
  const rest = [...others.map(describeLimit), ...listCallLimits(apiKey)];
  if (!tightest)
    return (
      <>
        <span className="text-muted">No spending limit</span>
        <Others limits={rest} />
      </>
    );
  const { used, max, per, resetsAt } = tightest;
  return (
    <div className="flex w-44 flex-col sm:w-40 gap-1.5 max-sm:items-end">
      <span>
        <Money usd={used} /> <span className="text-muted">of</span> <Money usd={max} exact />
        <span className="text-muted"> {per}</span>
      </span>
      <Meter
        label={`Credit used by ${apiKey.name}`}
        value={used}
        max={max}
        valueText={describeLimit(tightest)}
      />
      {resetsAt && (
        <span className="text-muted text-xs">
          Resets <DateTime at={resetsAt} format="age" />
        </span>
      )}
      <Others limits={rest} />
    </div>
  );
}

function Others({ limits }: { limits: readonly string[] }) {
  if (limits.length === 0) return null;
  return (
    <span className="block text-muted text-xs" title={limits.join('\n')}>
      and {formatCount(limits.length, 'other limit')}
    </span>
  );
}

/** For sorting: the used share of the tightest limit; null without one. */
export function usedShare(apiKey: ApiKey): number | null {
  const [tightest] = listMoneyLimits(apiKey);
  return tightest ? (tightest.max > 0 ? tightest.used / tightest.max : 1) : null;
}

const left = ({ used, max }: MoneyLimit) => addUsd(max, -used);
const describeLimit = ({ used, max, per }: MoneyLimit) =>
  `${formatCents(used)} of ${formatMoney(max)} ${per} used`;

/** The credit limit and the spending limit of a key, that with the least left first. */
function listMoneyLimits({ credits, credits_used: used, spend_limit: limit }: ApiKey): MoneyLimit[] {
  const limits: MoneyLimit[] = [];
  if (limit !== null)
    limits.push({
      used: limit.spent_usd,
      max: limit.amount_usd,
      per: PER[limit.period],
      resetsAt: limit.resets_at,
    });
  if (credits !== null)
    limits.push({ used, max: addUsd(used, Math.max(0, credits)), per: 'in total', resetsAt: null });
  return limits.sort((a, b) => left(a) - left(b));
}

/** Limits of calls that are the key's own. */
function listCallLimits({ rate_limits: rates }: ApiKey): string[] {
  if (rates === null) return [];
  const limits = [...CALL_WINDOWS, { field: 'concurrent', per: 'at once' } as const].map(({ field, per }) => {
    const limit = rates[field];
    return limit === null ? null : `${formatCount(limit, 'call')} ${per}`;
  });
  return limits.filter((limit) => limit !== null);
}
