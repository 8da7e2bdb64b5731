'use client';

import { useState } from 'react';
import type { OwnJob } from '@/server/calls/jobs/schema';
import { problemText } from '../shared/problem';
import { gatewayError } from '../shared/trpc-provider';
import { AlertDialog } from '../ui/alert-dialog';
import { Button } from '../ui/button';
import { toast } from '../ui/toast';
import { useCancelJob } from './queries';

/** Asks once, then stops the job for good. */
export function CancelJob({ job }: { job: Pick<OwnJob, 'job_id' | 'tool' | 'skill'> }) {
  const [open, setOpen] = useState(false);
  const cancel = useCancelJob(job.job_id);

  async function confirm() {
    try {
      await cancel.mutateAsync();
      toast.success('Job cancelled', { description: 'Nothing was charged.' });
    } catch (error) {
      // It was quicker: the drawer shows its end.
      if (gatewayError(error)?.code !== 'JOB_NOT_RUNNING') throw new Error(problemText(error));
      toast.info('The job had ended already', { description: 'There was nothing left to cancel.' });
    }
  }

  return (
    <AlertDialog
      open={open}
      onOpenChange={setOpen}
      trigger={<Button>Cancel job</Button>}
      title={`Cancel ${job.tool}.${job.skill}?`}
      consequence="The tool stops where it is and the job ends without a result, for good. Nothing is charged."
      confirmLabel="Cancel job"
      cancelLabel="Let it run"
      onConfirm={confirm}
    />
  );
}
