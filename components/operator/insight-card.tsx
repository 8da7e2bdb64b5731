'use client';

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Insight } from '@/server/operations/operator/insight/schema';
import { formatBuckets, nameAxis } from '../shared/axis-labels';
import { percentChange } from '../shared/change';
import { Delta } from '../shared/delta';
import { formatCount } from '../shared/format';
import { problemText } from '../shared/problem';
import { Segmented } from '../shared/segmented';
import { gatewayError, trpc } from '../shared/trpc-provider';
import { useUrlChoice } from '../shared/use-url-choice';
import { Card, CardBody, CardHeader } from '../ui/card';
import { StackedBars } from '../ui/chart/stacked-bars';
import { cn } from '../ui/cn';
import { ErrorState } from '../ui/error-state';
import { formatCompact, formatNumber } from '../ui/format-number';
import { formatMoneyTick, Money, moneyFormat } from '../ui/money';
import { Stat } from '../ui/stat';
import { useTimes } from '../ui/time-provider';
import {
  buildInsightSeries,
  INSIGHT_ORDERS,
  INSIGHT_PERIODS,
  MEASURES,
  type Measure,
  PERIOD_WORDS,
} from './insight-view';
import { TopLists } from './top-lists';

const PERIOD_OPTIONS = [
  { value: '24h', label: '24 hours' },
  { value: '7d', label: '7 days' },
  { value: '30d', label: '30 days' },
  { value: '90d', label: '90 days' },
] as const;
const MEASURE_OPTIONS = [
  { value: 'money', label: 'Revenue' },
  { value: 'calls', label: 'Calls' },
  { value: 'sign_ups', label: 'Sign-ups' },
] as const;

const CALLS_FIRST = ['calls', 'money', 'sign_ups'] as const;

/** Figures of a period over time, compared with the period before, and who and what made them. */
export function InsightCard({ initial }: { initial: Insight }) {
  const [first] = useState(initial);
  const [period, choosePeriod] = useUrlChoice('period', INSIGHT_PERIODS);
  const [by, chooseBy] = useUrlChoice('by', INSIGHT_ORDERS);
  // Without revenue, its chart is empty: calls show first.
  const [measure, chooseMeasure] = useUrlChoice(
    'measure',
    first.totals.revenue_usd > 0 ? MEASURES : CALLS_FIRST,
  );
  const query = useQuery({
    queryKey: ['operator', 'insight', period, by],
    queryFn: ({ signal }) => trpc.operator.insight.query({ period, by }, { signal }),
    initialData: period === first.period && by === first.by ? first : undefined,
    placeholderData: keepPreviousData,
  });
  const insight = query.data ?? first;
  const dimmed = cn('transition-opacity', query.isPlaceholderData && 'opacity-60');
  return (
    <>
      <Card>
        <CardHeader
          title="Performance"
          description="All accounts, in UTC."
          actions={
            <Segmented legend="Period" value={period} options={PERIOD_OPTIONS} onValueChange={choosePeriod} />
          }
        />
        {query.isError && !query.data ? (
          <ErrorState
            title="The figures could not be loaded"
            requestId={gatewayError(query.error)?.request_id}
            onRetry={() => void query.refetch()}
            retrying={query.isFetching}
          >
            {problemText(query.error)}
          </ErrorState>
        ) : (
          <CardBody aria-busy={query.isPlaceholderData} className={cn('flex flex-col gap-6', dimmed)}>
            <Figures insight={insight} />
            <div className="flex flex-col gap-4">
              <Segmented
                legend="Measure"
                value={measure}
                options={MEASURE_OPTIONS}
                onValueChange={chooseMeasure}
                className="self-start"
              />
              <Chart insight={insight} measure={measure} />
            </div>
            <p className="text-muted text-sm">
              Revenue is what calls were charged, also those paid with granted or promo credit. Provider cost
              is the usage that providers report, at their list prices. It does not include failed calls or
              this machine. Tool failures are failed calls without those that the caller’s input or provider
              key caused.
            </p>
          </CardBody>
        )}
      </Card>
      <TopLists insight={insight} by={by} onChooseBy={chooseBy} className={dimmed} />
    </>
  );
}

function Figures({ insight: { totals, before, period } }: { insight: Insight }) {
  const previous = PERIOD_WORDS[period].replace('last', 'previous');
  const compare = (now: number, then: number, good?: 'up') => {
    const change = percentChange(now, then);
    return change ? <Delta change={change} period={previous} good={good} /> : ' ';
  };
  const money = (label: string, now: number, then: number, good?: 'up') => (
    <Stat label={label} value={<Money usd={now} headline />} note={compare(now, then, good)} />
  );
  const count = (label: string, now: number, then: number) => (
    <Stat label={label} value={formatNumber(now)} note={compare(now, then, 'up')} />
  );
  return (
    <div className="flex flex-col gap-3">
      <dl className="grid grid-cols-2 gap-x-6 gap-y-4 sm:grid-cols-3 lg:grid-cols-5">
        {money('Revenue', totals.revenue_usd, before.revenue_usd, 'up')}
        {money('Provider cost', totals.provider_cost_usd, before.provider_cost_usd)}
        {money('Margin', totals.margin_usd, before.margin_usd, 'up')}
        {count('Calls', totals.calls, before.calls)}
        {count('Sign-ups', totals.sign_ups, before.sign_ups)}
      </dl>
      <p className="text-muted text-sm">
        {`${PERIOD_WORDS[period].replace('last', 'Last')}, compared with the previous period.`}
      </p>
    </div>
  );
}

function Chart({ insight, measure }: { insight: Insight; measure: Measure }) {
  const { zone } = useTimes();
  const series = buildInsightSeries(insight.by_time, measure);
  const writeMoney = moneyFormat(series.flatMap(({ values }) => values));
  const names = { money: 'Revenue', calls: 'Calls', sign_ups: 'Sign-ups' };
  return (
    <StackedBars
      label={`${names[measure]}, ${PERIOD_WORDS[insight.period]}`}
      buckets={formatBuckets(insight.by_time, insight.unit, zone)}
      axis={nameAxis(insight.unit, zone)}
      series={series}
      integer={measure !== 'money'}
      format={(value) =>
        measure === 'money' ? writeMoney(value) : formatCount(value, measure === 'calls' ? 'call' : 'sign-up')
      }
      formatTick={measure === 'money' ? formatMoneyTick : formatCompact}
    />
  );
}
