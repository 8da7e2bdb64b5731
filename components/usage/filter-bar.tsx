'use client';

import type { BillingBalance } from '@/server/money/billing/schema';
import type { UsageChoices, UsageFilter, UsageReport } from '@/server/usage/schema';
import { codeWords } from './code-words';
import { type InitialData, useChoices } from './queries';
import { csvHref, toErrorsFilter } from './view';
import { ViewFilters } from './view-filters';

interface FilterBarProps {
  filter: UsageFilter;
  accounts: BillingBalance['accounts'];
  /** The tools and keys it names are offered until all choices have loaded. */
  report?: UsageReport | undefined;
  /** The choices, if the server has read them. */
  first?: InitialData<UsageChoices>;
  /** On the page of failed calls: their codes, to choose from instead of a status. */
  codes?: readonly string[] | undefined;
  onChange: (change: UsageFilter) => void;
  onClear: () => void;
}

/** Filters by time, account, key, tag, tool, member and status. */
export function FilterBar({ report, first, codes, ...view }: FilterBarProps) {
  const { filter } = view;
  const offers = useOffers(filter, report, first);
  return (
    <ViewFilters
      {...view}
      accountLabel="Charged to"
      csv={csvHref(codes ? toErrorsFilter(filter) : filter)}
      offers={{ ...offers, codes: codes?.map((code) => ({ value: code, label: codeWords(code) })) }}
    />
  );
}

/**
 * The keys and tools to choose from: those in the report at first, then all that were ever used.
 */
function useOffers(
  filter: UsageFilter,
  report: UsageReport | undefined,
  first: InitialData<UsageChoices> | undefined,
) {
  const choices = useChoices(filter.billing, first).data;
  const tools = new Set([...(report?.by_tool ?? []).map(({ tool }) => tool), ...(choices?.tools ?? [])]);
  const keys = new Map((report?.by_key ?? []).map((key) => [key.key_id, key.name]));
  for (const key of choices?.keys ?? [])
    keys.set(key.key_id, key.owner === null ? key.name : `${key.name}, ${key.owner}`);
  const tags = new Set([...(filter.tag === undefined ? [] : [filter.tag]), ...(choices?.tags ?? [])]);
  const members = choices ? choices.members : report?.by_member;
  return {
    members: members?.flatMap(({ user_id: id, name }) => (id ? [{ value: id, label: name }] : [])),
    tags: [...tags].map((tag) => ({ value: tag, label: tag })),
    tools: [...tools].sort().map((tool) => ({ value: tool, label: tool })),
    keys: [...keys]
      .map(([value, label]) => ({ value, label }))
      .sort((a, b) => (a.label.toLowerCase() < b.label.toLowerCase() ? -1 : 1)),
  };
}
