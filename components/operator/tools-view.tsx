'use client';

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { OperatorTool, ToolPeriod } from '@/server/operations/operator/schema';
import { problemText } from '../shared/problem';
import { Segmented } from '../shared/segmented';
import { gatewayError, trpc } from '../shared/trpc-provider';
import { useUrlQuery } from '../shared/use-url-query';
import { Button } from '../ui/button';
import { Card } from '../ui/card';
import { type Column, DataTable } from '../ui/data-table';
import { EmptyState } from '../ui/empty-state';
import { SearchX } from '../ui/icons';
import { PageHeader } from '../ui/page-header';
import { SearchInput } from '../ui/search-input';
import { readSort, sortRows, writeSort } from '../ui/table-sort';
import { TableTools } from '../ui/table-tools';
import { healthColumns } from './tool-figures';
import { PERIOD_NOTE, readToolPeriod, TOOL_PERIODS } from './tool-period';
import { ToolState } from './tool-state';

const COLUMNS: readonly Column<OperatorTool>[] = [
  {
    id: 'tool',
    title: 'Tool',
    sortBy: ({ display_name }) => display_name,
    phone: 'title',
    cell: ({ display_name, name }) => (
      <>
        <span className="block">{display_name}</span>
        <span className="block font-mono font-normal text-muted text-xs">{name}</span>
      </>
    ),
  },
  { id: 'state', title: 'State', phone: 'note', cell: (tool) => <ToolState tool={tool} /> },
  ...healthColumns<OperatorTool>(),
];

/** All tools with their health, the most used first. */
export function ToolsView({ initial, period: first }: { initial: OperatorTool[]; period: ToolPeriod }) {
  const [get, set] = useUrlQuery();
  const [firstPeriod] = useState(first);
  const period = readToolPeriod(get('period'));
  const q = (get('q') ?? '').toLowerCase();
  const query = useQuery({
    queryKey: ['operator', 'tools', period],
    queryFn: async ({ signal }) => (await trpc.operator.tools.list.query({ period }, { signal })).tools,
    initialData: period === firstPeriod ? initial : undefined,
    placeholderData: keepPreviousData,
  });
  const sort = readSort(get('sort'), COLUMNS);
  const found = query.data?.filter((tool) => `${tool.name} ${tool.display_name}`.toLowerCase().includes(q));
  const shown = found && sortRows(found, sort, COLUMNS);
  return (
    <>
      <PageHeader title="Tools" description={`The health of each tool. ${PERIOD_NOTE}`} />
      <Card>
        <TableTools>
          <SearchInput
            slash
            label="Search tools"
            placeholder="Name"
            value={get('q') ?? ''}
            onValueChange={(text) => set({ q: text }, 'typed')}
            className="max-sm:col-span-2 sm:w-72"
          />
          <Segmented
            legend="Period"
            value={period}
            options={TOOL_PERIODS}
            onValueChange={(value) => set({ period: value === '24h' ? null : value })}
          />
        </TableTools>
        <DataTable
          caption="Tools"
          columns={COLUMNS}
          rows={shown}
          keyOf={({ name }) => name}
          hrefOf={({ name }) => `/operator/tools/${encodeURIComponent(name)}?period=${period}`}
          sort={sort ?? { by: 'calls', direction: 'desc' }}
          onSort={(next) => set({ sort: writeSort(next) })}
          stale={query.isPlaceholderData}
          problem={
            query.isError
              ? {
                  title: 'The tools could not be loaded',
                  text: problemText(query.error),
                  requestId: gatewayError(query.error)?.request_id,
                  onRetry: () => void query.refetch(),
                  retrying: query.isFetching,
                }
              : null
          }
          empty={
            <EmptyState
              icon={<SearchX />}
              title={`No tools match “${q}”`}
              action={<Button onClick={() => set({ q: null })}>Show all tools</Button>}
            />
          }
        />
      </Card>
    </>
  );
}
