'use client';

import { useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import type { OperatorJobDetail } from '@/server/operations/operator/schema';
import { JobStatus } from '../shared/job-status';
import { problemText } from '../shared/problem';
import { gatewayError, trpc } from '../shared/trpc-provider';
import { useReturnFocus } from '../shared/use-return-focus';
import { DateTime } from '../ui/date-time';
import { Dialog } from '../ui/dialog';
import { ErrorState } from '../ui/error-state';
import { Notice } from '../ui/notice';
import { SkeletonRows } from '../ui/skeleton';
import { ActDialog } from './act-dialog';
import { CopyId } from './copy-id';
import { Facts } from './facts';
import { useMayAct } from './may-act';

/** One job with its log. Its input and result belong to the account and are not shown. */
export function JobPanel({ jobId, onClose }: { jobId: string; onClose: () => void }) {
  const query = useQuery({
    queryKey: ['operator', 'job', jobId],
    queryFn: ({ signal }) => trpc.operator.jobs.get.query({ job_id: jobId }, { signal }),
    // Each view is recorded in the audit log.
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    retry: false,
  });
  const job = query.data;
  useReturnFocus(true);
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={
        <span className="break-all font-mono text-base">{job ? `${job.tool}.${job.skill}` : 'Job'}</span>
      }
      focusPanel
      className="sm:max-w-2xl"
    >
      {job ? (
        <JobBody job={job} />
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

function JobBody({ job }: { job: OperatorJobDetail }) {
  const mayAct = useMayAct();
  return (
    <div className="flex flex-col gap-5">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <JobStatus status={job.status} />
        {job.status === 'running' && (
          <ActDialog
            label="Cancel job"
            title={`Cancel ${job.tool}.${job.skill}?`}
            consequence="The job is stopped permanently. Its account is charged nothing and sees that an operator cancelled it."
            confirmLabel="Cancel job"
            danger
            done="Job cancelled"
            act={() => trpc.operator.jobs.cancel.mutate({ job_id: job.job_id })}
          />
        )}
      </div>
      {job.stuck && (
        <Notice tone="warning" title="Its lease has expired">
          The process running it has stopped or does not respond. The job fails or is retried within a minute.
        </Notice>
      )}
      {job.error && (
        <Notice tone="danger" title={job.error}>
          {job.error_code}
        </Notice>
      )}
      <Facts
        rows={[
          ['Job', <CopyId key="j" id={job.job_id} noun="job id" />],
          [
            'Account',
            <Link key="a" href={`/operator/accounts/${job.account_id}`} className="link break-all">
              {job.account_name}
            </Link>,
          ],
          ['Created', <DateTime key="m" at={job.created_at} format="exact" />],
          ['Attempts', String(job.attempts)],
        ]}
      />
      <section aria-label="Log" className="flex flex-col gap-2">
        <h3 className="font-semibold text-sm">Log</h3>
        {job.log.length === 0 ? (
          <p className="text-muted text-sm">
            {mayAct ? 'No log output.' : 'Support does not see the logs of jobs.'}
          </p>
        ) : (
          <div
            role="log"
            aria-label="Log lines"
            // biome-ignore lint/a11y/noNoninteractiveTabindex: scrolled with the keyboard
            tabIndex={0}
            className="max-h-72 overflow-y-auto rounded-md border bg-sunken px-3 py-2 font-mono text-xs"
          >
            {job.log.map(({ seq, message }) => (
              <p key={seq} className="whitespace-pre-wrap break-words">
                {message}
              </p>
            ))}
          </div>
        )}
      </section>
    </div>
  );
}
