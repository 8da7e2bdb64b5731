import type { BillingBalance } from '@/server/money/billing/schema';
import type { UsageFilter } from '@/server/usage/schema';
import { Segmented } from '../shared/segmented';
import { buttonClass } from '../ui/button-class';
import { DateRangeFilter } from '../ui/date-range-filter';
import { SelectFilter } from '../ui/filter';
import { Download } from '../ui/icons';
import { TableTools } from '../ui/table-tools';
import { isNarrowed, PERIODS, periodWords, type ReportPeriod, sentence } from './view';

type Options = readonly { value: string; label: string }[];

/** What can be chosen. A filter without options is not shown, except those by key and tool. */
interface Offers {
  keys: Options;
  tools: Options;
  tags?: Options;
  members?: Options | undefined;
  /** Error codes, to choose from instead of a status. */
  codes?: Options | undefined;
}

interface ViewFiltersProps {
  filter: UsageFilter;
  accounts: BillingBalance['accounts'];
  /** "Charged to": what the account is of the listed calls. */
  accountLabel: string;
  offers: Offers;
  periods?: readonly (typeof PERIODS)[number][];
  csv: string;
  onChange: (change: UsageFilter) => void;
  onClear: () => void;
}

const STATUSES = [
  { value: 'success', label: 'Succeeded' },
  { value: 'error', label: 'Failed' },
] as const;

/** The filters of the usage pages. They take effect at once and are in the URL. */
export function ViewFilters({ filter, accounts, accountLabel, offers, onClear, ...bar }: ViewFiltersProps) {
  const { onChange } = bar;
  const { keys, tools, tags = [], members, codes } = offers;
  const hasDays = filter.from !== undefined || filter.to !== undefined;
  const teams = accounts.filter(({ type }) => type === 'team');
  const choose = (field: 'key_id' | 'tool' | 'tag' | 'member' | 'error_code') => ({
    value: filter[field] ?? null,
    onChange: (value: string | null) => onChange({ [field]: value ?? undefined }),
  });
  return (
    <>
      <PeriodBar filter={filter} hasDays={hasDays} {...bar} />
      <TableTools onClear={isNarrowed(filter) || hasDays ? onClear : undefined}>
        {teams.length > 0 && (
          <SelectFilter
            label={accountLabel}
            value={filter.billing ?? null}
            all="Personal"
            options={teams.map(({ slug, name }) => ({ value: slug ?? '', label: name }))}
            onChange={(billing) =>
              onChange({ billing: billing ?? undefined, key_id: undefined, member: undefined })
            }
          />
        )}
        <SelectFilter label="Key" all="All keys" options={keys} {...choose('key_id')} />
        {tags.length > 0 && <SelectFilter label="Tag" all="All tags" options={tags} {...choose('tag')} />}
        <SelectFilter label="Tool" all="All tools" options={tools} {...choose('tool')} />
        {members && <SelectFilter label="Member" all="All members" options={members} {...choose('member')} />}
        {codes ? (
          <SelectFilter
            label="Error code"
            all="All codes"
            options={codes}
            className="sm:w-48"
            {...choose('error_code')}
          />
        ) : (
          <SelectFilter
            label="Status"
            value={filter.status ?? null}
            all="All"
            options={STATUSES}
            onChange={(status) => onChange({ status: STATUSES.find(({ value }) => value === status)?.value })}
          />
        )}
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

/** A date range replaces the period. */
const DAYS = { value: 'days', label: 'Custom' } as const;

interface PeriodBarProps extends Pick<ViewFiltersProps, 'filter' | 'periods' | 'csv' | 'onChange'> {
  hasDays: boolean;
}

function PeriodBar({ filter, hasDays, periods = PERIODS, csv, onChange }: PeriodBarProps) {
  return (
    <div className="flex flex-wrap items-center gap-3 border-b px-4 py-3 sm:px-5">
      <Segmented
        legend="Period"
        value={hasDays ? DAYS.value : (filter.period ?? '30d')}
        options={hasDays ? [...periods, DAYS] : periods}
        onValueChange={(next: ReportPeriod | 'days') =>
          next !== 'days' && onChange({ period: next, from: undefined, to: undefined })
        }
        className="min-w-0 max-w-full max-sm:flex-wrap max-sm:[&_label]:px-1.5"
      />
      {/* A plain link: the router must not prefetch a file. */}
      <a href={csv} download className={buttonClass({ size: 'sm', className: 'sm:ml-auto' })}>
        <Download aria-hidden />
        Download CSV
      </a>
    </div>
  );
}
