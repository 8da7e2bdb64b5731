import type { OwnJob } from '@/server/calls/jobs/schema';
import { cn } from '../ui/cn';
import { Meter } from '../ui/meter';

interface JobProgressProps {
  job: Pick<OwnJob, 'tool' | 'skill' | 'progress'>;
  className?: string;
}

/** How far a job is, as a bar and in percent; a dash where its tool does not say. */
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

/** Never 100 % before it is. */
export function formatProgress(progress: number): string {
  return `${Math.floor(progress * 100)} %`;
}
