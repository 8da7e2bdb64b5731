import type { JobSummary } from '@/server/calls/jobs/schema';
import { isOpen, JobStatus } from '../shared/job-status';
import type { Column } from '../ui/data-table';
import { DateTime } from '../ui/date-time';
import { Money } from '../ui/money';
import { JobDuration } from './job-duration';
import { formatProgress, JobProgress } from './job-progress';

/** @param receivedAt when the browser received the rows, by its own clock */
export function jobColumns(receivedAt: number): readonly Column<JobSummary>[] {
  return [
    {
      id: 'job',
      title: 'Job',
      phone: 'title',
      cell: ({ tool, skill }) => (
        <span className="break-all font-mono font-normal text-sm">
          <span className="text-muted">{tool}.</span>
          {skill}
        </span>
      ),
    },
    {
      id: 'status',
      title: 'Status',
      phone: 'note',
      cell: ({ status, progress }) => (
        <span className="flex items-center gap-2">
          <JobStatus status={status} />
          {isOpen(status) && progress !== null && (
            <span className="text-muted sm:hidden">{formatProgress(progress)}</span>
          )}
        </span>
      ),
    },
    {
      id: 'progress',
      title: 'Progress',
      phone: 'none',
      className: 'min-w-36',
      cell: (job) => (isOpen(job.status) ? <JobProgress job={job} /> : <span className="text-muted">—</span>),
    },
    {
      id: 'started',
      title: 'Started',
      time: true,
      phone: 'aside',
      className: 'text-muted',
      cell: ({ created_at }) => <DateTime at={created_at} />,
    },
    {
      id: 'took',
      title: 'Duration',
      numeric: true,
      phone: 'none',
      className: 'text-muted',
      cell: (job) => <JobDuration job={job} receivedAt={receivedAt} />,
    },
    {
      id: 'cost',
      title: 'Cost',
      numeric: true,
      phone: 'figure',
      usd: ({ cost_usd }) => cost_usd,
      cell: ({ cost_usd: cost }, decimals) =>
        cost === null ? (
          <span className="text-muted">—</span>
        ) : (
          <Money usd={cost} exact decimals={decimals} className={cost === 0 ? 'text-muted' : undefined} />
        ),
    },
    {
      id: 'key',
      title: 'Key',
      phone: 'none',
      className: 'max-w-44 truncate',
      cell: ({ key_name }) => <span title={key_name}>{key_name}</span>,
    },
  ];
}
