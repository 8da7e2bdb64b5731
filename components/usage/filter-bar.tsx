'use client';

import type { BillingBalance } from '@/server/money/billing/schema';
import type { UsageChoices, UsageFilter, UsageReport } from '@/server/usage/schema';
import { Segmented } from '../shared/segmented';
import { buttonClass } from '../ui/button-class';
import { DateRangeFilter } from '../ui/date-range-filter';
import { SelectFilter } from '../ui/filter';
import { Download } from '../ui/icons';
import { TableTools } from '../ui/table-tools';
import { codeWords } from './code-words';
import { type InitialData, useChoices } from './queries';
import {
  csvHref,
  isNarrowed,
  PERIODS,
  periodWords,
  type ReportPeriod,
  sentence,
  toErrorsFilter,
} from './view';

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

const STATUSES = [
  { value: 'success', label: 'Succeeded' },
  { value: 'error', label: 'Failed' },
] as const;
/** A date range replaces the period. */
const DAYS = { value: 'days', label: 'Custom' } as const;

/**
 * Filters by time, account, key, tag, tool, member and status. They take effect at once and are in
 * the URL.
 */
export function FilterBar({ filter, accounts, report, first, codes, onChange, onClear }: FilterBarProps) {
  const { tools, keys, tags, members } = useOffers(filter, report, first);
  const hasDays = filter.from !== undefined || filter.to !== undefined;
  const teams = accounts.filter(({ type }) => type === 'team');
  const clearable = isNarrowed(filter) || hasDays;
  return (
    <>
      <PeriodBar filter={filter} failedOnly={codes !== undefined} hasDays={hasDays} onChange={onChange} />
      <TableTools onClear={clearable ? onClear : undefined}>
        {teams.length > 0 && (
          <SelectFilter
            label="Charged to"
            value={filter.billing ?? null}
            all="Personal"
            options={teams.map(({ slug, name }) => ({ value: slug ?? '', label: name }))}
            onChange={(billing) =>
              onChange({ billing: billing ?? undefined, key_id: undefined, member: undefined })
            }
          />
        )}
        <SelectFilter
          label="Key"
          value={filter.key_id ?? null}
          all="All keys"
          options={keys}
          onChange={(key) => onChange({ key_id: key ?? undefined })}
        />
        {tags.length > 0 && (
          <SelectFilter
            label="Tag"
            value={filter.tag ?? null}
            all="All tags"
            options={tags}
            onChange={(tag) => onChange({ tag: tag ?? undefined })}
          />
        )}
        <SelectFilter
          label="Tool"
          value={filter.tool ?? null}
          all="All tools"
          options={tools}
          onChange={(tool) => onChange({ tool: tool ?? undefined })}
        />
        {members && (
          <SelectFilter
            label="Member"
            value={filter.member ?? null}
            all="All members"
            options={members}
            onChange={(member) => onChange({ member: member ?? undefined })}
          />
        )}
        <OutcomeFilter {...{ filter, codes, onChange }} />
        <DateRangeFilter
          label="Dates (UTC)"
          all={sentence(periodWords(filter))}
          value={filter}
          onChange={onChange}
          className="max-sm:col-span-2 sm:w-60"
        />
      </TableTools>
    </>
  );
}

/** By status, or among failed calls by code. */
function OutcomeFilter({ filter, codes, onChange }: Pick<FilterBarProps, 'filter' | 'codes' | 'onChange'>) {
  if (codes)
    return (
      <SelectFilter
        label="Error code"
        value={filter.error_code ?? null}
        all="All codes"
        options={codes.map((code) => ({ value: code, label: codeWords(code) }))}
        onChange={(code) => onChange({ error_code: code ?? undefined })}
        className="sm:w-48"
      />
    );
  return (
    <SelectFilter
      label="Status"
      value={filter.status ?? null}
      all="All"
      options={STATUSES}
      onChange={(status) => onChange({ status: STATUSES.find(({ value }) => value === status)?.value })}
    />
  );
}

interface PeriodBarProps extends Pick<FilterBarProps, 'filter' | 'onChange'> {
  /** Whether a date range replaces the period. */
  hasDays: boolean;
  failedOnly: boolean;
}

function PeriodBar({ filter, hasDays, failedOnly, onChange }: PeriodBarProps) {
  const listed = failedOnly ? toErrorsFilter(filter) : filter;
  return (
    <div className="flex flex-wrap items-center gap-3 border-b px-4 py-3 sm:px-5">
      <Segmented
        legend="Period"
        value={hasDays ? DAYS.value : (filter.period ?? '30d')}
        options={hasDays ? [...PERIODS, DAYS] : PERIODS}
        onValueChange={(next: ReportPeriod | 'days') =>
          next !== 'days' && onChange({ period: next, from: undefined, to: undefined })
        }
        className="max-w-full overflow-x-auto max-sm:[&_label]:px-2"
      />
      {/* A plain link: the router must not prefetch a file. */}
      <a href={csvHref(listed)} download className={buttonClass({ size: 'sm', className: 'sm:ml-auto' })}>
        <Download aria-hidden />
        Download CSV
      </a>
    </div>
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
