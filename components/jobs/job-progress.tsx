import type { JobSummary } from '@/server/calls/jobs/schema';
import { cn } from '../ui/cn';
import { Meter } from '../ui/meter';

interface JobProgressProps {
  job: Pick<JobSummary, 'tool' | 'skill' | 'progress'>;
  className?: string;
}

/** The progress of a job as a bar and a percentage; a dash if its tool reports none. */
export function JobProgress({ job, className }: JobProgressProps) {
  const { tool, skill, progress } = job;
  if (progress === null) return <span className="text-muted">—</span>;
  return (
    <span className={cn('flex items-center gap-2.5', className)}>
      <Meter
        kind="progress"
        label={`Progress of ${tool}.${skill}`}
        value={progress}
        max={1}
        valueText={formatProgress(progress)}
      />
      <span className="w-10 shrink-0 text-right text-muted text-xs">{formatProgress(progress)}</span>
    </span>
  );
}

/** Rounded down, so that a running job never shows 100%. */
export function formatProgress(progress: number): string {
  return `${Math.floor(progress * 100)}%`;
}
