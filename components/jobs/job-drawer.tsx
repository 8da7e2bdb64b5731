'use client';

import Link from 'next/link';
import type { OwnJobDetail } from '@/server/calls/jobs/schema';
import { ResultView } from '../results/result-view';
import { errorHint } from '../shared/error-hint';
import { isOpen, JobStatus, statusWord } from '../shared/job-status';
import { problemText } from '../shared/problem';
import { gatewayError } from '../shared/trpc-provider';
import { useReturnFocus } from '../shared/use-return-focus';
import { Button } from '../ui/button';
import { buttonClass } from '../ui/button-class';
import { Dialog } from '../ui/dialog';
import { EmptyState } from '../ui/empty-state';
import { ErrorState } from '../ui/error-state';
import { FlaskConical, SearchX } from '../ui/icons';
import { Notice } from '../ui/notice';
import { SkeletonRows } from '../ui/skeleton';
import { CancelJob } from './cancel-job';
import { JobFacts } from './job-facts';
import { JobLog } from './job-log';
import { JobProgress } from './job-progress';
import { useJob, useRefreshJob } from './queries';
import { useJobLog } from './use-job-log';

/** At the right edge; on a phone at the bottom, like every dialog. */
const DRAWER =
  'max-h-[94dvh] sm:inset-y-0 sm:right-0 sm:left-auto sm:mx-0 sm:h-dvh sm:max-h-none sm:max-w-xl sm:rounded-none sm:rounded-l-xl sm:border-y-0 sm:border-r-0';

interface JobDrawerProps {
  jobId: string;
  initial: OwnJobDetail | undefined;
  onClose: () => void;
}

/** One job: its status, its log as it is written, and its result. */
export function JobDrawer({ jobId, initial, onClose }: JobDrawerProps) {
  const query = useJob(jobId, initial);
  const job = query.data;
  useReturnFocus(true);
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={
        job ? <span className="break-all font-mono text-base">{`${job.tool}.${job.skill}`}</span> : 'Job'
      }
      focusPanel
      className={DRAWER}
    >
      {job ? (
        <JobDetail job={job} receivedAt={query.dataUpdatedAt} />
      ) : gatewayError(query.error)?.code === 'NOT_FOUND' ? (
        <EmptyState
          icon={<SearchX />}
          title="Job not found"
          action={<Button onClick={onClose}>View your jobs</Button>}
        >
          The link may be incomplete, or the job belongs to another account. Jobs are kept for a week after
          they end.
        </EmptyState>
      ) : query.isError ? (
        <ErrorState
          title="The job could not be loaded"
          requestId={gatewayError(query.error)?.request_id}
          onRetry={() => void query.refetch()}
          retrying={query.isFetching}
        >
          {problemText(query.error)}
        </ErrorState>
      ) : (
        <SkeletonRows label="Loading the job" />
      )}
    </Dialog>
  );
}

function JobDetail({ job, receivedAt }: { job: OwnJobDetail; receivedAt: number }) {
  const refresh = useRefreshJob(job.job_id);
  const { lines, status, progress } = useJobLog(job, () => void refresh());
  const open = isOpen(status);
  return (
    <div className="flex flex-col gap-5">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <div className="flex items-center gap-3">
          <JobStatus status={status} />
          <p role="status" className="sr-only">
            {statusWord(status)}
          </p>
          {open && progress !== null && (
            <JobProgress job={{ ...job, progress }} className="w-44 max-sm:w-36" />
          )}
        </div>
        <div className="flex flex-wrap gap-2">
          {status === 'running' && <CancelJob job={job} />}
          <Link
            href={`/dashboard/playground?tool=${encodeURIComponent(job.tool)}&skill=${encodeURIComponent(job.skill)}`}
            className={buttonClass()}
          >
            <FlaskConical aria-hidden />
            Open in playground
          </Link>
        </div>
      </div>
      {status === 'pending' && (
        <Notice title="Waiting to start">
          The job starts as soon as a worker is free. You can cancel it once it is running.
        </Notice>
      )}
      <JobEnd job={job} />
      {job.result && (
        <section aria-label="Result" className="flex flex-col gap-2">
          <h3 className="font-semibold text-sm">Result</h3>
          <ResultView output={job.result.output} />
        </section>
      )}
      <JobLog lines={lines} live={open} />
      <section aria-label="Details">
        <JobFacts job={job} receivedAt={receivedAt} />
      </section>
    </div>
  );
}

/** Why the job has no result. */
function JobEnd({ job }: { job: OwnJobDetail }) {
  if (job.status === 'cancelled')
    return (
      <Notice title="This job was cancelled">The tool stopped without a result. Nothing was charged.</Notice>
    );
  if (job.status !== 'failed') return null;
  const code = job.error_code ?? 'HANDLER_ERROR';
  return (
    <Notice tone="danger" title={job.error ?? 'The tool failed.'}>
      <p>
        {errorHint(code)} Nothing was charged.{' '}
        <a href={`/docs/errors#${code}`} className="link">
          What this code means
        </a>
      </p>
      <p className="mt-1 font-mono text-xs">{code}</p>
    </Notice>
  );
}
