import type { AccountLimits } from '@/server/identity/plans/schema';
import { describeRates } from '../shared/describe-rates';
import { IntentLink } from '../ui/intent-link';

/** What each key of the account may do at most, and the plan that says so. */
export function LimitsLine({ limits }: { limits: AccountLimits }) {
  const { source, plan } = limits;
  return (
    <p className="text-muted text-sm">
      Calls of each key
      {source === 'plan' && plan && (
        <>
          {' '}
          on plan <span className="font-medium text-ink">{plan.name}</span>
        </>
      )}
      : {describeRates(limits)}.{' '}
      <IntentLink href="/docs/limits" className="link">
        Limits
      </IntentLink>
    </p>
  );
}
