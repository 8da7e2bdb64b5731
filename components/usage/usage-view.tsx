'use client';

import { useRef } from 'react';
import type { BillingBalance } from '@/server/money/billing/schema';
import type { UsageCalls, UsageFilter, UsageReport } from '@/server/usage/schema';
import { ReportSkeleton } from '../shared/report-states';
import { formatDay } from '../ui/calendar/days';
import { Card, CardBody } from '../ui/card';
import { cn } from '../ui/cn';
import { Notice } from '../ui/notice';
import { PageHeader } from '../ui/page-header';
import { Breakdown } from './breakdown';
import { CallsList } from './calls-list';
import { Figures } from './figures';
import { FilterBar } from './filter-bar';
import { OverTime } from './over-time';
import { useReport } from './queries';
import { ReportProblem } from './report-problem';
import { UsageTabs } from './usage-tabs';
import { useView } from './use-view';
import { countListed, periodWords } from './view';

interface UsageViewProps {
  accounts: BillingBalance['accounts'];
  /** The server-rendered data and its filter. */
  filter: UsageFilter;
  report: UsageReport;
  calls: UsageCalls;
}

/** The usage page. The URL holds the filters, and the CSV has the same ones. */
export function UsageView({ accounts, filter: first, report: firstReport, calls }: UsageViewProps) {
  const { filter, change, clear, chooseWider } = useView();
  const query = useReport(filter, { filter: first, data: firstReport });
  const main = useRef<HTMLDivElement>(null);
  const report = query.data;

  /** Clearing the filters removes the pressed button, so the figures take the focus. */
  function clearAll() {
    clear();
    main.current?.focus();
  }

  return (
    <>
      <PageHeader title="Usage" description="What was called, by which key and member, and what it cost." />
      <UsageTabs filter={filter} here="calls" />
      <Card>
        <FilterBar {...{ filter, accounts, report }} onChange={change} onClear={clearAll} />
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
        total={report && countListed(report, filter)}
        wider={report?.is_unused ? undefined : chooseWider(clearAll)}
      />
    </>
  );
}
