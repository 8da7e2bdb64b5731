'use client';

import Link from 'next/link';
import type { UsageFilter, UsageReport } from '@/server/usage/schema';
import { ReportSkeleton } from '../shared/report-states';
import { Segmented } from '../shared/segmented';
import { useUrlChoice } from '../shared/use-url-choice';
import { Card, CardBody, CardHeader } from '../ui/card';
import { cn } from '../ui/cn';
import { ArrowRight } from '../ui/icons';
import { Figures } from './figures';
import { OverTime } from './over-time';
import { type InitialData, useReport } from './queries';
import { ReportProblem } from './report-problem';
import { PERIODS, periodWords, type ReportPeriod, writeView } from './view';

interface ReportCardProps {
  title: string;
  /** The calls to include; the period is chosen here and stored in the URL. */
  filter: Omit<UsageFilter, 'period' | 'from' | 'to'>;
  periods: readonly [ReportPeriod, ...ReportPeriod[]];
  first: InitialData<UsageReport>;
}

/** Figures and chart of a period, with a link to the usage page. */
export function ReportCard({ title, filter, periods, first }: ReportCardProps) {
  const [period, choosePeriod] = useUrlChoice('period', periods);
  const whole = { ...filter, period };
  const query = useReport(whole, first);
  const { every_account: _, ...page } = whole;
  return (
    <Card>
      <CardHeader
        title={title}
        actions={
          <Segmented
            legend="Period"
            value={period}
            options={PERIODS.filter(({ value }) => periods.includes(value))}
            onValueChange={choosePeriod}
          />
        }
      />
      {query.data ? (
        <CardBody
          aria-busy={query.isPlaceholderData}
          className={cn('flex flex-col gap-6 transition-opacity', query.isPlaceholderData && 'opacity-60')}
        >
          <Figures report={query.data} filter={whole} />
          <OverTime report={query.data} words={periodWords(whole)} />
          <Link
            href={`/dashboard/usage${writeView(page)}`}
            className="link inline-flex items-center gap-1 self-start text-sm"
          >
            Filter and break down in Usage
            <ArrowRight aria-hidden className="size-3.5" />
          </Link>
        </CardBody>
      ) : query.isError ? (
        <ReportProblem query={query} />
      ) : (
        <ReportSkeleton />
      )}
    </Card>
  );
}
