'use client';

import { useSearchParams } from 'next/navigation';
import { useRef } from 'react';
import type { BillingBalance } from '@/server/money/billing/schema';
import type { UsageCalls, UsageFilter, UsageReport } from '@/server/usage/schema';
import { ReportSkeleton } from '../shared/report-states';
import { useUrlQuery } from '../shared/use-url-query';
import { formatDay } from '../ui/calendar/days';
import { Card, CardBody } from '../ui/card';
import { cn } from '../ui/cn';
import { Notice } from '../ui/notice';
import { PageHeader } from '../ui/page-header';
import { Breakdown } from './breakdown';
import { CallsList } from './calls-list';
import { Figures } from './figures';
import { FilterBar } from './filter-bar';
import type { Wider } from './none-fit';
import { OverTime } from './over-time';
import { useReport } from './queries';
import { ReportProblem } from './report-problem';
import { DEFAULT_PERIOD, isNarrowed, periodWords, readView } from './view';

interface UsageViewProps {
  accounts: BillingBalance['accounts'];
  /** The server-rendered data and its filter. */
  filter: UsageFilter;
  report: UsageReport;
  calls: UsageCalls;
}

/** The usage page. The URL holds the filters, and the CSV has the same ones. */
export function UsageView({ accounts, filter: first, report: firstReport, calls }: UsageViewProps) {
  const params = useSearchParams();
  const filter = readView((name) => params.get(name));
  const [, set] = useUrlQuery();
  const query = useReport(filter, { filter: first, data: firstReport });
  const main = useRef<HTMLDivElement>(null);
  const report = query.data;

  /** Changes only the given filters, including to undefined. A date range replaces the period. */
  function change(next: UsageFilter) {
    const { key_id: key, period, every_account: _, ...rest } = next;
    set({
      ...rest,
      ...('key_id' in next && { key }),
      ...('period' in next && { period: period === DEFAULT_PERIOD ? null : period }),
      ...((next.from || next.to) && { period: null }),
    });
  }

  /** Clearing the filters removes the pressed button, so the figures take the focus. */
  function clear() {
    set({ key: null, tool: null, member: null, tag: null, status: null, from: null, to: null });
    set({ request: null, id: null, error: null });
    main.current?.focus();
  }

  /** What shows more calls, if there are any. */
  function chooseWider(): Wider | undefined {
    if (isNarrowed(filter) || filter.from || filter.to) return { by: 'filters', widen: clear };
    return filter.period === 'all' ? undefined : { by: 'period', widen: () => change({ period: 'all' }) };
  }

  return (
    <>
      <PageHeader title="Usage" description="What was called, by which key and member, and what it cost." />
      <Card>
        <FilterBar {...{ filter, accounts, report }} onChange={change} onClear={clear} />
        <div
          ref={main}
          tabIndex={-1}
          aria-busy={query.isPlaceholderData}
          className={cn('transition-opacity focus:outline-none', query.isPlaceholderData && 'opacity-60')}
        >
          {report ? (
            <CardBody className="flex flex-col gap-6">
              <Figures report={report} filter={filter} />
              <OverTime report={report} words={periodWords(filter)} />
              {report.calls_kept_from && (
                <Notice title="Older calls are included in totals only">
                  Individual calls are kept from {formatDay(report.calls_kept_from.slice(0, 10))} on. Earlier
                  calls are in the figures and charts, but not in the list or the CSV.
                </Notice>
              )}
            </CardBody>
          ) : query.isError ? (
            <ReportProblem query={query} />
          ) : (
            <ReportSkeleton />
          )}
        </div>
      </Card>
      {report && (
        <Breakdown
          report={report}
          filter={filter}
          offer={report.by_member ? ['tool', 'key', 'member'] : ['tool', 'key']}
          stale={query.isPlaceholderData}
        />
      )}
      <CallsList
        title="Calls"
        filter={filter}
        first={{ filter: first, data: calls }}
        inspects
        wider={report?.is_unused ? undefined : chooseWider()}
      />
    </>
  );
}
