'use client';

import { useRef } from 'react';
import type { BillingBalance } from '@/server/money/billing/schema';
import type { RefusalReport } from '@/server/usage/refusals-schema';
import type { UsageFilter } from '@/server/usage/schema';
import { errorHint } from '../shared/error-hint';
import { problemText } from '../shared/problem';
import { ReportSkeleton } from '../shared/report-states';
import { gatewayError } from '../shared/trpc-provider';
import { Button } from '../ui/button';
import { Card, CardBody, CardHeader } from '../ui/card';
import { cn } from '../ui/cn';
import { DateTime } from '../ui/date-time';
import { EmptyState } from '../ui/empty-state';
import { ErrorState } from '../ui/error-state';
import { formatNumber } from '../ui/format-number';
import { CircleCheck } from '../ui/icons';
import { Notice } from '../ui/notice';
import { PageHeader } from '../ui/page-header';
import { Stat } from '../ui/stat';
import type { Wider } from './none-fit';
import { useRefusals } from './queries';
import { RefusalFilters } from './refusal-filters';
import { RefusalReasons } from './refusal-reasons';
import { RowsOverTime } from './rows-over-time';
import { UsageTabs } from './usage-tabs';
import { useView } from './use-view';
import { periodWords, toRefusalsFilter } from './view';

interface RefusalsViewProps {
  accounts: BillingBalance['accounts'];
  /** The server-rendered data and its filter. */
  filter: UsageFilter;
  report: RefusalReport;
}

/** Calls that were refused before they ran, by key and reason, and the last of them. */
export function RefusalsView({ accounts, filter: first, report: firstReport }: RefusalsViewProps) {
  const { filter: view, change, clear, chooseWider } = useView();
  const filter = toRefusalsFilter(view);
  const query = useRefusals(filter, { filter: first, data: firstReport });
  const report = query.data;
  const main = useRef<HTMLDivElement>(null);

  /** Clearing the filters removes the pressed button, so the figures take the focus. */
  function clearAll() {
    clear();
    main.current?.focus();
  }

  return (
    <>
      <PageHeader title="Usage" description="Which calls were refused before they ran, and why." />
      <UsageTabs filter={filter} here="refused" />
      <Card>
        <RefusalFilters {...{ accounts, filter, report }} onChange={change} onClear={clearAll} />
        <div
          ref={main}
          tabIndex={-1}
          aria-busy={query.isPlaceholderData}
          className={cn('transition-opacity focus:outline-none', query.isPlaceholderData && 'opacity-60')}
        >
          {!report && query.isError ? (
            <ErrorState
              title="The refused calls could not be loaded"
              requestId={gatewayError(query.error)?.request_id}
              onRetry={() => query.refetch()}
              retrying={query.isFetching}
            >
              {problemText(query.error)}
            </ErrorState>
          ) : !report ? (
            <ReportSkeleton />
          ) : report.refused === 0 ? (
            <NoRefusals wider={chooseWider(clearAll)} />
          ) : (
            <CardBody className="flex flex-col gap-6">
              {filter.error_code && (
                <Notice title={<code className="font-mono">{filter.error_code}</code>}>
                  {errorHint(filter.error_code)}{' '}
                  <a href={`/docs/errors#${filter.error_code}`} className="link">
                    What this code means
                  </a>
                </Notice>
              )}
              <dl className="grid grid-cols-2 gap-x-6 gap-y-4 lg:grid-cols-4">
                <Stat label="Refused calls" value={formatNumber(report.refused)} />
                <Stat label="Keys" value={formatNumber(report.keys)} />
                {report.last_at && (
                  <Stat
                    label="Last refused"
                    value={<DateTime at={report.last_at} format="age" className="whitespace-normal" />}
                  />
                )}
              </dl>
            </CardBody>
          )}
        </div>
      </Card>
      {report && report.refused > 0 && (
        <>
          <RefusalReasons
            title="By key and reason"
            report={report}
            filter={filter}
            stale={query.isPlaceholderData}
          />
          <RefusalChart report={report} filter={filter} />
        </>
      )}
    </>
  );
}

function RefusalChart({ report, filter }: { report: RefusalReport; filter: UsageFilter }) {
  return (
    <Card>
      <CardHeader title="Over time" />
      <CardBody className="flex flex-col gap-6">
        <RowsOverTime
          {...report}
          label={`Refused calls, ${periodWords(filter)}`}
          rows={report.by_code.map(({ error_code: code, limit, trend }) => ({
            id: `${code} ${limit}`,
            name: limit === null ? code : `${code}, limit: ${limit}`,
            trend,
          }))}
        />
        <p className="text-muted text-sm">
          Refused calls cost nothing, and are stored for 35 days. A call that names a team is listed under the
          account of its key.
        </p>
      </CardBody>
    </Card>
  );
}

function NoRefusals({ wider }: { wider: Wider | undefined }) {
  const byFilters = wider?.by === 'filters';
  return (
    <EmptyState
      icon={<CircleCheck />}
      title={byFilters ? 'No refused calls match these filters' : 'No refused calls in this period'}
      action={wider && <Button onClick={wider.widen}>{byFilters ? 'Clear filters' : 'Show all time'}</Button>}
    >
      A call is refused if a limit is reached, credit is missing, or the key or the input is not allowed.
    </EmptyState>
  );
}
