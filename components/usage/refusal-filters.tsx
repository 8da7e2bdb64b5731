import type { BillingBalance } from '@/server/money/billing/schema';
import type { RefusalReport, UsageFilter } from '@/server/usage/schema';
import { Segmented } from '../shared/segmented';
import { buttonClass } from '../ui/button-class';
import { DateRangeFilter } from '../ui/date-range-filter';
import { SelectFilter } from '../ui/filter';
import { Download } from '../ui/icons';
import { TableTools } from '../ui/table-tools';
import { csvHref, isNarrowed, PERIODS, periodWords, type ReportPeriod, sentence } from './view';

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
const DAYS = { value: 'days', label: 'Custom' } as const;

/** Filters by time, account, key, tool and code. They take effect at once and are in the URL. */
export function RefusalFilters({ filter, accounts, report, onChange, onClear }: RefusalFiltersProps) {
  const hasDays = filter.from !== undefined || filter.to !== undefined;
  const teams = accounts.filter(({ type }) => type === 'team');
  const keys = (report?.by_key ?? []).flatMap(({ key_id: value, name: label }) =>
    value === null ? [] : [{ value, label }],
  );
  const tools = (report?.by_tool ?? []).map(({ tool }) => tool);
  const codes = (report?.by_code ?? []).map(({ error_code: code }) => code);
  return (
    <>
      <div className="flex flex-wrap items-center gap-3 border-b px-4 py-3 sm:px-5">
        <Segmented
          legend="Period"
          value={hasDays ? DAYS.value : (filter.period ?? '30d')}
          options={hasDays ? [...REFUSAL_PERIODS, DAYS] : REFUSAL_PERIODS}
          onValueChange={(next: ReportPeriod | 'days') =>
            next !== 'days' && onChange({ period: next, from: undefined, to: undefined })
          }
          className="max-w-full overflow-x-auto max-sm:[&_label]:px-2"
        />
        {/* A plain link: the router must not prefetch a file. */}
        <a
          href={csvHref(filter, 'refused')}
          download
          className={buttonClass({ size: 'sm', className: 'sm:ml-auto' })}
        >
          <Download aria-hidden />
          Download CSV
        </a>
      </div>
      <TableTools onClear={isNarrowed(filter) || hasDays ? onClear : undefined}>
        {teams.length > 0 && (
          <SelectFilter
            label="Keys of"
            value={filter.billing ?? null}
            all="Personal"
            options={teams.map(({ slug, name }) => ({ value: slug ?? '', label: name }))}
            onChange={(billing) => onChange({ billing: billing ?? undefined, key_id: undefined })}
          />
        )}
        <SelectFilter
          label="Key"
          value={filter.key_id ?? null}
          all="All keys"
          options={keys}
          onChange={(key) => onChange({ key_id: key ?? undefined })}
        />
        <SelectFilter
          label="Tool"
          value={filter.tool ?? null}
          all="All tools"
          options={toOptions(tools, filter.tool)}
          onChange={(tool) => onChange({ tool: tool ?? undefined })}
        />
        <SelectFilter
          label="Error code"
          value={filter.error_code ?? null}
          all="All codes"
          options={toOptions(codes, filter.error_code)}
          onChange={(code) => onChange({ error_code: code ?? undefined })}
          className="sm:w-48"
        />
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

function toOptions(names: readonly (string | null)[], chosen: string | undefined) {
  const all = new Set([...names, chosen].flatMap((name) => name ?? []));
  return [...all].sort().map((name) => ({ value: name, label: name }));
}
