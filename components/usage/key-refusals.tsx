import type { RefusalReport } from '@/server/usage/refusals-schema';
import type { UsageFilter } from '@/server/usage/schema';
import { IntentLink } from '../ui/intent-link';
import { useRefusals } from './queries';
import { RefusalReasons } from './refusal-reasons';
import { refusalsHref } from './view';

interface KeyRefusalsProps {
  filter: UsageFilter;
  report: RefusalReport;
}

/** Why calls of a key were refused in the last 30 days, also by limits that are over. */
export function KeyRefusals({ filter, report: first }: KeyRefusalsProps) {
  const query = useRefusals(filter, { filter, data: first });
  const report = query.data ?? first;
  return (
    <RefusalReasons
      title="Refused calls, last 30 days"
      ofKey
      report={report}
      filter={filter}
      stale={query.isPlaceholderData}
      more={
        <IntentLink href={refusalsHref(filter)} className="link text-sm">
          All refused calls of this key
        </IntentLink>
      }
    />
  );
}
