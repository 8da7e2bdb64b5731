import { callResultSchema } from '../calls/schema';
import type { Job } from './schema';
import type { JobRecord } from './store';

/** A job as the API tells it. */
export function describeJob(job: JobRecord): Job {
  const result = job.result ? callResultSchema.parse(job.result) : undefined;
  return {
    jobId: job.id,
    job_id: job.id,
    status: job.status,
    tool: job.tool,
    skill: job.skill,
    logs: job.logs,
    elapsed_seconds: Math.max(0, job.elapsedMs) / 1000,
    ...(job.progress === null ? {} : { progress: job.progress }),
    ...(result ? { result, output: result.output, usage: result.usage } : {}),
    ...(job.error === null ? {} : { error: job.error }),
    ...(job.errorCode === null ? {} : { error_code: job.errorCode }),
    created_at: job.createdAt.toISOString(),
    ...(job.finishedAt ? { finished_at: job.finishedAt.toISOString() } : {}),
  };
}
