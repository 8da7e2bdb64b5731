'use client';

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { useState } from 'react';
import type { ToolPrices as Prices } from '@/server/operations/operator/pricing/schema';
import type { ToolDetail, ToolPeriod } from '@/server/operations/operator/schema';
import { Segmented } from '../shared/segmented';
import { trpc } from '../shared/trpc-provider';
import { useUrlQuery } from '../shared/use-url-query';
import { Card, CardHeader } from '../ui/card';
import { type Column, DataTable } from '../ui/data-table';
import { DateTime } from '../ui/date-time';
import { EmptyState } from '../ui/empty-state';
import { formatNumber } from '../ui/format-number';
import { CircleCheck } from '../ui/icons';
import { formatMoney } from '../ui/money';
import { Notice } from '../ui/notice';
import { PageHeader } from '../ui/page-header';
import { PriceDialog, SwitchDialog } from './tool-acts';
import { healthColumns, OnPhone } from './tool-figures';
import { PERIOD_NOTE, readToolPeriod, TOOL_PERIODS } from './tool-period';
import { ToolPrices } from './tool-prices';
import { ToolSource } from './tool-source';
import { ToolState } from './tool-state';

type Skill = ToolDetail['skill_rows'][number];
type Failure = ToolDetail['errors'][number];

interface ToolViewProps {
  initial: ToolDetail;
  /** Null for an imported tool, whose price is under its source. */
  prices: Prices | null;
  period: ToolPeriod;
}

/** One tool: its skills, errors, price, and the on/off switch. */
export function ToolView({ initial, prices, period: first }: ToolViewProps) {
  const [get, set] = useUrlQuery();
  const [firstPeriod] = useState(first);
  const period = readToolPeriod(get('period'));
  const { name } = initial;
  const query = useQuery({
    queryKey: ['operator', 'tool', name, period],
    queryFn: ({ signal }) => trpc.operator.tools.get.query({ tool: name, period }, { signal }),
    initialData: period === firstPeriod ? initial : undefined,
    placeholderData: keepPreviousData,
  });
  const tool = query.data ?? initial;
  return (
    <>
      <PageHeader
        back={
          <Link href="/operator/tools" className="link">
            Tools
          </Link>
        }
        title={tool.display_name}
        description={<ToolState tool={tool} />}
        actions={
          <>
            <Segmented
              legend="Period"
              value={period}
              options={TOOL_PERIODS}
              onValueChange={(value) => set({ period: value })}
            />
            <SwitchDialog tool={tool} />
          </>
        }
      />
      {tool.unavailable && (
        <Notice
          tone="warning"
          title={
            tool.availability === 'unavailable'
              ? 'This tool is unavailable'
              : 'Callers need their own provider key'
          }
        >
          {[tool.unavailable, tool.off_reason && `Reason: ${tool.off_reason}`].filter(Boolean).join(' ')}
        </Notice>
      )}
      {tool.source && <ToolSource tool={tool} source={tool.source} />}
      <Card>
        <CardHeader title="Skills" description={PERIOD_NOTE} />
        <DataTable
          caption="Skills"
          columns={skillColumns(tool)}
          rows={tool.skill_rows}
          keyOf={(skill) => skill.name}
          stale={query.isPlaceholderData}
          empty={<EmptyState title="No skills" />}
        />
      </Card>
      {prices && <ToolPrices tool={name} initial={prices} />}
      <Card>
        <CardHeader title="Errors" description="All failed calls, including those with invalid input." />
        <DataTable
          caption="Errors by skill and code"
          columns={ERROR_COLUMNS}
          rows={tool.errors}
          keyOf={({ skill, code }) => `${skill} ${code}`}
          stale={query.isPlaceholderData}
          empty={
            <EmptyState icon={<CircleCheck />} title="No failed calls in this period">
              Choose a longer period to look further back.
            </EmptyState>
          }
        />
      </Card>
    </>
  );
}

function formatAmounts({ platform_fee_usd: fee, provider_cost_usd: cost }: Skill['price']): string {
  return cost === 0 ? formatMoney(fee) : `${formatMoney(fee)} + ${formatMoney(cost)}`;
}

function skillColumns(tool: ToolDetail): readonly Column<Skill>[] {
  return [
    {
      id: 'skill',
      title: 'Skill',
      phone: 'title',
      cell: ({ name, unavailable }) => (
        <span className="flex flex-col gap-0.5">
          <span className="font-mono font-normal text-sm">{name}</span>
          {unavailable !== null && unavailable !== tool.unavailable && (
            <span className="max-w-md whitespace-normal font-normal text-muted text-xs">{unavailable}</span>
          )}
        </span>
      ),
    },
    {
      id: 'price',
      title: 'Price',
      phone: 'note',
      cell: ({ price }) =>
        price.platform_fee_usd + price.provider_cost_usd === 0 ? (
          <span className="text-muted">Free</span>
        ) : (
          <span className="tabular-nums" title="platform fee + provider cost">
            {`${formatAmounts(price)} per ${price.unit}`}
          </span>
        ),
    },
    ...healthColumns<Skill>(),
    ...(tool.source
      ? ([
          {
            id: 'act',
            title: 'Actions',
            titleHidden: true,
            className: 'text-right',
            cell: (skill) => <PriceDialog tool={tool.name} skill={skill.name} price={skill.price} />,
          },
        ] satisfies Column<Skill>[])
      : []),
  ];
}

const ERROR_COLUMNS: readonly Column<Failure>[] = [
  {
    id: 'code',
    title: 'Code',
    phone: 'title',
    cell: ({ code }) => <span className="font-mono font-normal text-sm">{code}</span>,
  },
  {
    id: 'skill',
    title: 'Skill',
    phone: 'note',
    cell: ({ skill }) => <span className="font-mono text-sm">{skill}</span>,
  },
  {
    id: 'count',
    title: 'Calls',
    numeric: true,
    phone: 'figure',
    cell: ({ count }) => (
      <span>
        {formatNumber(count)}
        <OnPhone>{count === 1 ? ' call' : ' calls'}</OnPhone>
      </span>
    ),
  },
  {
    id: 'last',
    title: 'Last',
    time: true,
    phone: 'aside',
    className: 'text-muted',
    cell: ({ last_at }) => <DateTime at={last_at} />,
  },
];
