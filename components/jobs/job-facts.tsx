'use client';

import Link from 'next/link';
import type { ReactNode } from 'react';
import type { OwnJobDetail } from '@/server/calls/jobs/schema';
import { CopyButton } from '../ui/copy-button';
import { DateTime } from '../ui/date-time';
import { Money } from '../ui/money';
import { JobDuration } from './job-duration';

interface JobFactsProps {
  job: OwnJobDetail;
  receivedAt: number;
}

/** The details of a job, apart from its log and result. */
export function JobFacts({ job, receivedAt }: JobFactsProps) {
  return (
    <dl className="divide-y text-sm">
      <Fact name="Cost">
        <Cost job={job} />
      </Fact>
      <Fact name="Charged to">{job.billing === 'personal' ? 'Personal' : job.billing}</Fact>
      <Fact name="Duration">
        <JobDuration job={job} receivedAt={receivedAt} />
      </Fact>
      <Fact name="Started">
        <DateTime at={job.created_at} format="exact" className="whitespace-normal" />
      </Fact>
      {job.finished_at && (
        <Fact name="Ended">
          <DateTime at={job.finished_at} format="exact" className="whitespace-normal" />
        </Fact>
      )}
      <Fact name="Key">
        <Link href={`/dashboard/keys/${job.key_id}`} className="link">
          {job.key_name}
        </Link>
      </Fact>
      <Fact name="Call">
        <span className="flex items-center justify-end gap-1">
          {job.finished_at ? (
            <Link
              href={`/dashboard/usage?call=${job.call_id}`}
              className="link min-w-0 break-all font-mono text-xs"
            >
              {job.call_id}
            </Link>
          ) : (
            <code className="min-w-0 break-all font-mono text-xs">{job.call_id}</code>
          )}
          <CopyButton value={job.call_id} label="Copy call id" />
        </span>
      </Fact>
      <Fact name="Job">
        <span className="flex items-center justify-end gap-1">
          <code className="min-w-0 break-all font-mono text-xs">{job.job_id}</code>
          <CopyButton value={job.job_id} label="Copy job id" />
        </span>
      </Fact>
    </dl>
  );
}

function Cost({ job: { status, cost_usd } }: { job: OwnJobDetail }) {
  if (cost_usd === null) return <span className="text-muted">Known when the job ends</span>;
  if (status !== 'completed') return 'Not charged';
  return <Money usd={cost_usd} exact className="font-medium" />;
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex min-h-10 items-center justify-between gap-6 py-1">
      <dt className="shrink-0 text-muted">{name}</dt>
      <dd className="min-w-0 text-right">{children}</dd>
    </div>
  );
}
