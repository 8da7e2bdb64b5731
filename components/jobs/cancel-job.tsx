'use client';

import { useState } from 'react';
import type { JobSummary } from '@/server/calls/jobs/schema';
import { problemText } from '../shared/problem';
import { gatewayError } from '../shared/trpc-provider';
import { AlertDialog } from '../ui/alert-dialog';
import { Button } from '../ui/button';
import { toast } from '../ui/toast';
import { useCancelJob } from './queries';

/** Asks for confirmation, then cancels the job. */
export function CancelJob({ job }: { job: Pick<JobSummary, 'job_id' | 'tool' | 'skill'> }) {
  const [open, setOpen] = useState(false);
  const cancel = useCancelJob(job.job_id);

  async function confirm() {
    try {
      await cancel.mutateAsync();
      toast.success('Job cancelled', { description: 'Nothing was charged.' });
    } catch (error) {
      // The job ended first: the drawer shows how.
      if (gatewayError(error)?.code !== 'JOB_NOT_RUNNING') throw new Error(problemText(error));
      toast.info('The job has already ended', { description: 'It could not be cancelled.' });
    }
  }

  return (
    <AlertDialog
      open={open}
      onOpenChange={setOpen}
      trigger={<Button>Cancel job</Button>}
      title={`Cancel ${job.tool}.${job.skill}?`}
      consequence="The tool stops and the job ends without a result. Nothing is charged. This cannot be undone."
      confirmLabel="Cancel job"
      cancelLabel="Keep running"
      onConfirm={confirm}
    />
  );
}
