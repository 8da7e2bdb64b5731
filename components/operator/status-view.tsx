'use client';

import { useQuery } from '@tanstack/react-query';
import type { Alerts } from '@/server/operations/operator/alerts/schema';
import type { BackgroundJob } from '@/server/operations/operator/background/schema';
import type { Incident } from '@/server/operations/operator/status/schema';
import { formatDuration } from '../shared/format';
import { problemText } from '../shared/problem';
import { gatewayError, trpc } from '../shared/trpc-provider';
import { Badge } from '../ui/badge';
import { Card, CardHeader } from '../ui/card';
import { type Column, DataTable } from '../ui/data-table';
import { DateTime } from '../ui/date-time';
import { EmptyState } from '../ui/empty-state';
import { Clock } from '../ui/icons';
import { PageHeader } from '../ui/page-header';
import { AlertsCard } from './alerts-card';
import { CopyId } from './copy-id';
import { IncidentsCard } from './incidents-card';
import { NextRun } from './next-run';

interface StatusViewProps {
  jobs: BackgroundJob[];
  alerts: Alerts;
  incidents: Incident[];
  /** Of the admin CLI. */
  backupCommand: string;
}

/** Alerts, the incidents on the public status page, and the background jobs. */
export function StatusView({
  jobs: firstJobs,
  alerts: firstAlerts,
  incidents: firstIncidents,
  backupCommand,
}: StatusViewProps) {
  const jobs = useQuery({
    queryKey: ['operator', 'background'],
    queryFn: async ({ signal }) => (await trpc.operator.background.query(undefined, { signal })).jobs,
    initialData: firstJobs,
    refetchInterval: 30_000,
  });
  const alerts = useQuery({
    queryKey: ['operator', 'alerts'],
    queryFn: ({ signal }) => trpc.operator.alerts.get.query(undefined, { signal }),
    initialData: firstAlerts,
  });
  const incidents = useQuery({
    queryKey: ['operator', 'incidents'],
    queryFn: async ({ signal }) =>
      (await trpc.operator.incidents.list.query(undefined, { signal })).incidents,
    initialData: firstIncidents,
  });
  return (
    <>
      <PageHeader
        title="Status"
        description={
          <>
            Alerts, incidents and background jobs. The public page is{' '}
            <a href="/status" className="link">
              /status
            </a>
            .
          </>
        }
      />
      <AlertsCard alerts={alerts.data} />
      <IncidentsCard incidents={incidents.data} />
      <Card>
        <CardHeader title="Background jobs" description="The last run in any process." />
        <DataTable
          caption="Background jobs"
          columns={listColumns(backupCommand)}
          rows={jobs.data}
          keyOf={({ name }) => name}
          problem={
            jobs.isError
              ? {
                  title: 'The background jobs could not be loaded',
                  text: problemText(jobs.error),
                  requestId: gatewayError(jobs.error)?.request_id,
                  onRetry: () => void jobs.refetch(),
                  retrying: jobs.isFetching,
                }
              : null
          }
          empty={<EmptyState icon={<Clock />} title="No background jobs" />}
        />
      </Card>
    </>
  );
}

const STATES = {
  ok: { tone: 'success', word: 'Succeeded' },
  failed: { tone: 'danger', word: 'Failed' },
  overdue: { tone: 'danger', word: 'Overdue' },
  never: { tone: 'neutral', word: 'Not run yet' },
  off: { tone: 'neutral', word: 'Off' },
} as const;

const listColumns = (backupCommand: string): readonly Column<BackgroundJob>[] => [
  {
    id: 'job',
    title: 'Job',
    phone: 'title',
    cell: ({ label, state, every_seconds: every }) => (
      <>
        <span className="block">{label}</span>
        {/* The schedule of a job is known from its first run. */}
        {(every !== null || state !== 'never') && (
          <span className="block font-normal text-muted text-xs">
            {every === null ? 'On request' : formatEvery(every)}
          </span>
        )}
      </>
    ),
  },
  {
    id: 'state',
    title: 'Last result',
    phone: 'note',
    cell: ({ state, error }) => (
      <>
        <Badge tone={STATES[state].tone}>{STATES[state].word}</Badge>
        {error && <span className="mt-1 block max-w-96 break-words text-danger text-xs">{error}</span>}
      </>
    ),
  },
  {
    id: 'last',
    title: 'Last run',
    phone: 'aside',
    className: 'text-muted',
    cell: ({ last_at }) => (last_at ? <DateTime at={last_at} format="age" /> : '—'),
  },
  {
    id: 'took',
    title: 'Took',
    numeric: true,
    phone: 'figure',
    cell: ({ duration_ms }) => (duration_ms === null ? '—' : formatDuration(duration_ms)),
  },
  {
    id: 'next',
    title: 'Next run',
    phone: 'line',
    className: 'text-muted',
    cell: ({ next_at, name }) =>
      next_at ? (
        <NextRun at={next_at} />
      ) : name === 'backup' ? (
        <CopyId id={backupCommand} noun="command" />
      ) : (
        '—'
      ),
  },
];

const MINUTE = 60;
const HOUR = 3_600;

function formatEvery(seconds: number): string {
  if (seconds < MINUTE) return `Every ${seconds} s`;
  if (seconds < HOUR) return seconds === MINUTE ? 'Every minute' : `Every ${seconds / MINUTE} min`;
  return seconds === HOUR ? 'Every hour' : `Every ${seconds / HOUR} hours`;
}
