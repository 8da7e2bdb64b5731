import Link from 'next/link';
import type { OwnJobList } from '@/server/calls/jobs/schema';
import { formatCount } from '../shared/format';
import { JobStatus } from '../shared/job-status';
import { Card, CardHeader } from '../ui/card';
import { JobDuration } from './job-duration';
import { RUNNING_SHOWN } from './job-filters';
import { JobProgress } from './job-progress';

interface RunningListProps {
  list: OwnJobList;
  /** When the browser received the list, by its own clock. */
  receivedAt: number;
}

/** The running jobs with their progress. */
export function RunningList({ list: { jobs, running }, receivedAt }: RunningListProps) {
  return (
    <Card>
      <CardHeader
        title={`${formatCount(running, 'job')} running`}
        actions={
          <Link href="/dashboard/jobs" className="link text-sm">
            {running > RUNNING_SHOWN ? 'See all' : 'See jobs'}
          </Link>
        }
      />
      <ul className="divide-y">
        {jobs.map((job) => (
          <li key={job.job_id} className="flex flex-wrap items-center gap-x-4 gap-y-1.5 px-4 py-2.5 sm:px-5">
            <Link
              href={`/dashboard/jobs?job=${job.job_id}`}
              className="min-w-0 flex-1 break-all font-mono text-sm hover:underline"
            >
              <span className="text-muted">{job.tool}.</span>
              {job.skill}
            </Link>
            <span className="w-36 max-sm:order-last max-sm:w-full">
              {job.progress === null ? (
                <JobStatus status={job.status} />
              ) : (
                <JobProgress job={job} className="w-full" />
              )}
            </span>
            <span className="w-16 text-right text-muted text-sm">
              <JobDuration job={job} receivedAt={receivedAt} />
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
