'use client';

import type { UsageSummary } from '@/server/usage/schema';
import { gatewayError } from '../trpc-provider';
import { Card, CardBody, CardHeader } from '../ui/card';
import { ErrorState } from '../ui/error-state';
import { Money } from '../ui/money';
import { Loading, Skeleton } from '../ui/skeleton';
import { Stat } from '../ui/stat';
import { formatCount, formatShare } from './format';
import { PERIODS, type Period } from './period';
import { problemText } from './problem';
import { useUsage } from './queries';
import { Segmented } from './segmented';
import { UsageChart } from './usage-chart';
import { TimeTable, ToolTable } from './usage-tables';
import { useUrlChoice } from './use-url-choice';

const PERIOD_OPTIONS = [
  { value: 'day', label: '24 h' },
  { value: 'week', label: '7 days' },
  { value: 'month', label: '30 days' },
  { value: 'all', label: 'All' },
] as const satisfies readonly { value: Period; label: string }[];
const PERIOD_WORDS: Record<Period, string> = {
  day: 'last 24 hours',
  week: 'last 7 days',
  month: 'last 30 days',
  all: 'all time',
};
const METRIC_OPTIONS = [
  { value: 'spend', label: 'Spend' },
  { value: 'calls', label: 'Calls' },
] as const;
const VIEW_OPTIONS = [
  { value: 'chart', label: 'Chart' },
  { value: 'table', label: 'Table' },
] as const;

interface UsagePanelProps {
  /** Only this key's usage. */
  keyId?: string;
  /** What the server read for the first paint, of whichever period the URL named. */
  initial: UsageSummary;
  refetchMs?: number;
}

/** Calls and money of a period: figures, over time, by tool. Period, measure and view are kept in the URL. */
export function UsagePanel({ keyId, initial, refetchMs }: UsagePanelProps) {
  const [period, choosePeriod] = useUrlChoice('period', PERIODS);
  const usage = useUsage(period, keyId, initial, refetchMs);
  return (
    <Card>
      <CardHeader
        title="Usage"
        actions={
          <Segmented legend="Period" value={period} options={PERIOD_OPTIONS} onValueChange={choosePeriod} />
        }
      />
      {usage.data ? (
        <UsageBody usage={usage.data} />
      ) : usage.isError ? (
        <ErrorState
          title="The usage could not be loaded"
          requestId={gatewayError(usage.error)?.request_id}
          onRetry={() => usage.refetch()}
          retrying={usage.isFetching}
        >
          {problemText(usage.error)}
        </ErrorState>
      ) : (
        <UsageSkeleton />
      )}
    </Card>
  );
}

function UsageBody({ usage }: { usage: UsageSummary }) {
  const [metric, chooseMetric] = useUrlChoice('measure', ['spend', 'calls']);
  const [view, chooseView] = useUrlChoice('view', ['chart', 'table']);
  const unit = usage.period === 'day' ? 'hour' : 'day';
  const words = PERIOD_WORDS[usage.period];
  const label = `${metric === 'spend' ? 'Spend' : 'Calls'}, ${words}`;
  return (
    <>
      <CardBody className="flex flex-col gap-6">
        <dl className="grid grid-cols-2 gap-x-6 gap-y-4 sm:grid-cols-3">
          <Stat
            label="Spend"
            value={<Money usd={usage.cost_usd} />}
            note={words}
            className="max-sm:col-span-2"
          />
          <Stat
            label="Calls"
            value={usage.calls.toLocaleString('en-US')}
            note={
              usage.byok_calls > 0 ? `${usage.byok_calls.toLocaleString('en-US')} with your own key` : words
            }
          />
          <Stat
            label="Success rate"
            value={usage.calls === 0 ? '–' : formatShare(usage.succeeded, usage.calls)}
            note={usage.calls === 0 ? 'No calls' : `${formatCount(usage.failed, 'call')} failed`}
          />
        </dl>
        <div className="flex flex-col gap-4">
          <div className="flex flex-wrap items-center justify-between gap-2">
            <Segmented
              legend="Measure"
              value={metric}
              options={METRIC_OPTIONS}
              onValueChange={chooseMetric}
            />
            <Segmented legend="Show as" value={view} options={VIEW_OPTIONS} onValueChange={chooseView} />
          </div>
          {view === 'chart' ? (
            <UsageChart buckets={usage.by_time} metric={metric} unit={unit} label={label} />
          ) : (
            <TimeTable buckets={usage.by_time} unit={unit} label={label} />
          )}
        </div>
      </CardBody>
      {usage.by_tool.length > 0 && (
        <div className="border-t">
          <ToolTable tools={usage.by_tool} />
        </div>
      )}
    </>
  );
}

export function UsageSkeleton() {
  return (
    <CardBody className="flex flex-col gap-6">
      <Loading label="Loading usage" />
      <div className="grid grid-cols-2 gap-6 sm:grid-cols-3">
        {['spend', 'calls', 'rate'].map((name) => (
          <div key={name} className="flex flex-col gap-2">
            <Skeleton className="w-16" />
            <Skeleton className="h-7 w-24" />
            <Skeleton className="w-20" />
          </div>
        ))}
      </div>
      <Skeleton className="h-60 w-full" />
    </CardBody>
  );
}
