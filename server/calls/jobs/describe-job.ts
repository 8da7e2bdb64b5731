import type { Job } from './schema';
import type { JobRecord } from './store';

/** Concurrent polls share one record, so they also share its description. */
const described = new WeakMap<JobRecord, Job>();

/** Converts a job to its API representation. */
export function describeJob(record: JobRecord): Job {
  const known = described.get(record);
  if (known) return known;
  const job = describe(record);
  described.set(record, job);
  return job;
}

function describe({ result, ...job }: JobRecord): Job {
  return {
    jobId: job.id,
    job_id: job.id,
    call_id: job.callId,
    status: job.status,
    tool: job.tool,
    skill: job.skill,
    logs: job.logs,
    elapsed_seconds: Math.max(0, job.elapsedMs) / 1000,
    ...(job.progress === null ? {} : { progress: job.progress }),
    ...(result ? { result, output: result.output, usage: result.usage } : {}),
    ...(job.error === null ? {} : { error: job.error }),
    ...(job.errorCode === null ? {} : { error_code: job.errorCode }),
    created_at: new Date(job.createdAt).toISOString(),
    ...(job.finishedAt ? { finished_at: new Date(job.finishedAt).toISOString() } : {}),
  };
}
