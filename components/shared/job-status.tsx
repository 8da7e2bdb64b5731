import type { JobSummary } from '@/server/calls/jobs/schema';
import { Badge } from '../ui/badge';
import { cn } from '../ui/cn';
import { Ban, Check, Clock, LoaderCircle, X } from '../ui/icons';

const STATUS = {
  pending: { tone: 'neutral', word: 'Waiting', icon: Clock },
  running: { tone: 'accent', word: 'Running', icon: LoaderCircle },
  completed: { tone: 'success', word: 'Completed', icon: Check },
  failed: { tone: 'danger', word: 'Failed', icon: X },
  cancelled: { tone: 'neutral', word: 'Cancelled', icon: Ban },
} as const satisfies Record<JobSummary['status'], unknown>;

export function JobStatus({ status }: { status: JobSummary['status'] }) {
  const { tone, word, icon: Icon } = STATUS[status];
  return (
    <Badge tone={tone}>
      <Icon
        aria-hidden
        strokeWidth={2.5}
        className={cn(status === 'running' && 'animate-spin motion-reduce:animate-none')}
      />
      {word}
    </Badge>
  );
}

/** The status as text, for screen readers. */
export function statusWord(status: JobSummary['status']): string {
  return STATUS[status].word;
}

/** Whether the job is running or waiting. */
export function isOpen(status: JobSummary['status']): boolean {
  return status === 'pending' || status === 'running';
}
