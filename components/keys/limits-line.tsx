import type { AccountLimits } from '@/server/identity/plans/schema';
import { formatNumber } from '../ui/format-number';
import { IntentLink } from '../ui/intent-link';

/** What each key of the account may do at most, and the plan that says so. */
export function LimitsLine({ limits }: { limits: AccountLimits }) {
  const { per_minute, per_hour, concurrent, source, plan } = limits;
  return (
    <p className="text-muted text-sm">
      {source === 'plan' && plan && (
        <>
          Plan <span className="font-medium text-ink">{plan.name}</span>:{' '}
        </>
      )}
      {formatNumber(per_minute)} calls a minute, {formatNumber(per_hour)} an hour and{' '}
      {formatNumber(concurrent)} at once for each key.{' '}
      <IntentLink href="/docs/limits" className="link">
        Limits
      </IntentLink>
    </p>
  );
}
