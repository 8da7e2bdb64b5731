'use client';

import type { OperatorJob, OperatorJobs } from '@/server/operations/operator/schema';
import { JobStatus } from '../shared/job-status';
import { trpc } from '../shared/trpc-provider';
import { useUrlQuery } from '../shared/use-url-query';
import { Badge } from '../ui/badge';
import { Button } from '../ui/button';
import { Card, CardBody } from '../ui/card';
import { type Column, DataTable } from '../ui/data-table';
import { DateTime } from '../ui/date-time';
import { EmptyState } from '../ui/empty-state';
import { Filter, SelectFilter } from '../ui/filter';
import { ListChecks } from '../ui/icons';
import { Input } from '../ui/input';
import { lazyOverlay } from '../ui/lazy-overlay';
import { PageHeader } from '../ui/page-header';
import { Stat } from '../ui/stat';
import { readSort, SORTED_BY_SERVER, writeSort } from '../ui/table-sort';
import { TableTools } from '../ui/table-tools';
import { JOB_AGES, JOB_STATUSES, readOperatorJobFilters } from './job-filters';
import { listPaging, listProblem, usePages } from './pages';
import { NEWEST_FIRST } from './time-sort';

const JobPanel = lazyOverlay(() => import('./job-panel').then((module) => module.JobPanel));

const COLUMNS: readonly Column<OperatorJob>[] = [
  {
    id: 'job',
    title: 'Job',
    phone: 'title',
    cell: ({ tool, skill, job_id }) => (
      <>
        <span className="block break-all font-mono font-normal text-sm">{`${tool}.${skill}`}</span>
        <span className="block break-all font-mono font-normal text-muted text-xs">{job_id}</span>
      </>
    ),
  },
  {
    id: 'status',
    title: 'Status',
    phone: 'note',
    cell: ({ status, stuck }) => (
      <span className="inline-flex flex-wrap gap-1.5">
        <JobStatus status={status} />
        {stuck && <Badge tone="danger">Stuck</Badge>}
      </span>
    ),
  },
  {
    id: 'account',
    title: 'Account',
    phone: 'none',
    className: 'max-w-56 truncate',
    cell: ({ account_id, account_name }) => <span title={account_id}>{account_name}</span>,
  },
  {
    id: 'created',
    title: 'Created',
    time: true,
    descendingFirst: true,
    sortBy: SORTED_BY_SERVER,
    phone: 'aside',
    className: 'text-muted',
    cell: ({ created_at }) => <DateTime at={created_at} />,
  },
  { id: 'attempts', title: 'Attempts', numeric: true, phone: 'none', cell: ({ attempts }) => attempts },
];

/** The jobs of all accounts. */
export function OperatorJobsView({ initial }: { initial: OperatorJobs }) {
  const [get, set] = useUrlQuery();
  const filters = readOperatorJobFilters(get);
  const query = usePages(
    'jobs',
    { ...filters },
    (cursor, signal) => trpc.operator.jobs.list.query({ ...filters, cursor }, { signal }),
    initial,
  );
  const first = query.data?.pages[0] ?? initial;
  const jobs = query.data?.pages.flatMap((page) => page.jobs);
  const open = get('job');
  const { sort, ...narrowing } = filters;
  const filtered = Object.values(narrowing).some((value) => value !== undefined);
  const clear = () => set({ status: null, tool: null, account: null, age: null });
  return (
    <>
      <PageHeader title="Jobs" description="Jobs of all accounts." />
      <Depth depth={first.depth} />
      <Card>
        <TableTools onClear={filtered ? clear : undefined}>
          <SelectFilter
            label="Status"
            all="All"
            value={filters.status ?? null}
            options={JOB_STATUSES}
            onChange={(status) => set({ status })}
          />
          <SelectFilter
            label="Tool"
            all="All tools"
            value={filters.tool ?? null}
            options={first.tools.map((tool) => ({ value: tool, label: tool }))}
            onChange={(tool) => set({ tool })}
          />
          <SelectFilter
            label="Age"
            all="Any age"
            value={get('age')}
            options={JOB_AGES}
            onChange={(age) => set({ age })}
          />
          <Filter label="Account" className="sm:w-72">
            {(id) => (
              <Input
                id={id}
                placeholder="Email, name or id"
                value={get('account') ?? ''}
                onChange={(event) => set({ account: event.target.value }, 'typed')}
              />
            )}
          </Filter>
        </TableTools>
        <DataTable
          caption="Jobs"
          columns={COLUMNS}
          rows={jobs}
          keyOf={({ job_id }) => job_id}
          sort={readSort(sort ?? null, COLUMNS) ?? NEWEST_FIRST}
          onSort={(next) => set({ sort: writeSort(next) })}
          onOpen={({ job_id }) => set({ job: job_id }, 'push')}
          stale={query.isPlaceholderData}
          problem={listProblem(query, 'The jobs could not be loaded')}
          paging={listPaging(query, jobs?.length ?? 0, 'job')}
          empty={
            <EmptyState
              icon={<ListChecks />}
              title={filtered ? 'No jobs match these filters' : 'No jobs yet'}
              action={filtered ? <Button onClick={clear}>Show all jobs</Button> : undefined}
            >
              A call becomes a job when it outlives its request.
            </EmptyState>
          }
        />
      </Card>
      {open && <JobPanel key={open} jobId={open} onClose={() => set({ job: null })} />}
    </>
  );
}

function Depth({ depth }: { depth: OperatorJobs['depth'] }) {
  return (
    <Card>
      <CardBody>
        <dl className="grid grid-cols-2 gap-5 sm:grid-cols-4">
          <Stat label="Running" value={depth.running} />
          <Stat label="Waiting in the queue" value={depth.queued} />
          <Stat label="Stuck" value={depth.stuck} note="lease expired" />
          <Stat
            label="Oldest"
            value={
              depth.oldest_at ? (
                <span className="max-sm:text-lg">
                  <DateTime at={depth.oldest_at} format="age" />
                </span>
              ) : (
                '—'
              )
            }
          />
        </dl>
      </CardBody>
    </Card>
  );
}
