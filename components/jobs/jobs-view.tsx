'use client';

import { useState } from 'react';
import type { JobFacets, OwnJobDetail, OwnJobList } from '@/server/calls/jobs/schema';
import { formatCount } from '../shared/format';
import { problemText } from '../shared/problem';
import { gatewayError } from '../shared/trpc-provider';
import { useUrlQuery } from '../shared/use-url-query';
import { Button } from '../ui/button';
import { Card } from '../ui/card';
import { DataTable } from '../ui/data-table';
import { SelectFilter } from '../ui/filter';
import { lazyOverlay } from '../ui/lazy-overlay';
import { lazyPart } from '../ui/lazy-part';
import { PageHeader } from '../ui/page-header';
import { TableTools } from '../ui/table-tools';
import { jobColumns } from './job-columns';
import { type JobFilters, readJobFilters, STATUS_OPTIONS } from './job-filters';
import { LiveMark } from './live-mark';
import { NoMatch } from './no-match';
import { useJobs } from './queries';

/** Loaded on demand: its command, with tabs and highlighting, is shown only without jobs. */
const NoJobs = lazyPart(() => import('./no-jobs').then((module) => module.NoJobs));
const JobDrawer = lazyOverlay(() => import('./job-drawer').then((module) => module.JobDrawer));

interface JobsViewProps {
  initial: OwnJobList;
  facets: JobFacets;
  /** The job named in the URL; null if it does not exist. */
  job: OwnJobDetail | null | undefined;
}

/** The list of jobs, newest first. A job opens in a drawer with its log. */
export function JobsView({ initial, facets, job }: JobsViewProps) {
  const [get, set] = useUrlQuery();
  const filters = readJobFilters(get);
  const filtered = filters.status !== null || filters.tool !== null || filters.key !== null;
  const view = JSON.stringify(filters);
  // The server-rendered data belongs to the first view only.
  const [firstView] = useState(view);
  const query = useJobs(filters, view === firstView ? initial : undefined);
  const jobs = query.data?.pages.flatMap((page) => page.jobs);
  const running = query.data?.pages[0]?.running ?? 0;
  const open = get('job');
  const clear = () => set({ status: null, tool: null, key: null });
  return (
    <>
      <PageHeader
        title="Jobs"
        description="Calls that continue after their request ends. Logs and results are kept for a week."
        actions={
          <>
            {running > 0 && filters.status === null && (
              <Button onClick={() => set({ status: 'running' })}>{`Show ${running} running`}</Button>
            )}
            <LiveMark />
          </>
        }
      />
      <Card>
        <JobTools filters={filters} facets={facets} onChange={set} onClear={filtered ? clear : undefined} />
        <DataTable
          caption="Jobs, newest first"
          columns={jobColumns(query.dataUpdatedAt)}
          rows={jobs}
          keyOf={({ job_id }) => job_id}
          onOpen={({ job_id }) => set({ job: job_id }, 'push')}
          stale={query.isPlaceholderData}
          empty={filtered ? <NoMatch onClear={clear} /> : <NoJobs />}
          problem={
            query.isError && !query.isFetchNextPageError
              ? {
                  title: 'The jobs could not be loaded',
                  text: problemText(query.error),
                  requestId: gatewayError(query.error)?.request_id,
                  onRetry: () => void query.refetch(),
                  retrying: query.isFetching,
                }
              : null
          }
          paging={{
            hasMore: query.hasNextPage,
            loading: query.isFetchingNextPage,
            onLoadMore: () => void query.fetchNextPage(),
            shown: formatCount(jobs?.length ?? 0, 'job'),
            error: query.isFetchNextPageError ? problemText(query.error) : null,
          }}
        />
      </Card>
      {open && (
        <JobDrawer
          key={open}
          jobId={open}
          initial={job?.job_id === open ? job : undefined}
          onClose={() => set({ job: null })}
        />
      )}
    </>
  );
}

interface JobToolsProps {
  filters: JobFilters;
  facets: JobFacets;
  onChange: (change: Partial<Record<keyof JobFilters, string | null>>) => void;
  /** Undefined without filters. */
  onClear: (() => void) | undefined;
}

function JobTools({ filters, facets, onChange, onClear }: JobToolsProps) {
  return (
    <TableTools onClear={onClear}>
      <SelectFilter
        label="Status"
        all="All"
        value={filters.status}
        options={STATUS_OPTIONS}
        onChange={(status) => onChange({ status })}
      />
      <SelectFilter
        label="Tool"
        all="All tools"
        value={filters.tool}
        options={facets.tools.map((tool) => ({ value: tool, label: tool }))}
        onChange={(tool) => onChange({ tool })}
      />
      <SelectFilter
        label="Key"
        all="All keys"
        value={filters.key}
        options={facets.keys.map(({ id, name }) => ({ value: id, label: name }))}
        onChange={(key) => onChange({ key })}
      />
    </TableTools>
  );
}
