import type { BillingBalance } from '@/server/money/billing/schema';
import type { RefusalReport } from '@/server/usage/refusals-schema';
import type { UsageFilter } from '@/server/usage/schema';
import { csvHref, PERIODS } from './view';
import { ViewFilters } from './view-filters';

interface RefusalFiltersProps {
  filter: UsageFilter;
  accounts: BillingBalance['accounts'];
  /** What it names is offered, and what is chosen. */
  report: RefusalReport | undefined;
  onChange: (change: UsageFilter) => void;
  onClear: () => void;
}

/** Refused calls are stored for 35 days. */
const REFUSAL_PERIODS = PERIODS.filter(({ value }) => value !== '90d');

/** Filters by time, account, key, tool and code. */
export function RefusalFilters({ report, ...view }: RefusalFiltersProps) {
  const { filter } = view;
  const { by_key: keys = [], by_tool: tools = [], by_code: codes = [] } = report ?? {};
  return (
    <ViewFilters
      {...view}
      accountLabel="Keys of"
      periods={REFUSAL_PERIODS}
      csv={csvHref(filter, 'refused')}
      offers={{
        keys: keys.flatMap(({ key_id: value, name: label }) => (value === null ? [] : [{ value, label }])),
        tools: toOptions(tools.map(({ tool }) => tool)),
        codes: toOptions(codes.map(({ error_code: code }) => code)),
      }}
    />
  );
}

function toOptions(names: readonly (string | null)[]) {
  const all = new Set(names.flatMap((name) => name ?? []));
  return [...all].sort().map((name) => ({ value: name, label: name }));
}
