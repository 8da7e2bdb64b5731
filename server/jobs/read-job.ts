import type { Sql } from '@/db/client';
import { usdFromMicrousd } from '../billing/money';
import { GroupCommit } from '../group-commit';
import type { Runtime } from '../runtime';
import { findJobLog, findJobs, type JobName, type JobRecord } from './store';

/** Reads jobs in groups: one end wakes many that wait for it. */
export type JobReader = (name: JobName) => Promise<JobRecord | null>;

export function createJobReader(sql: Sql): JobReader {
  const group = new GroupCommit<JobName, JobRecord | null>((names) => findJobs(sql, names), 2);
  return (name) => group.submit(name);
}

/** A job of the account of this key, its result complete; null where there is none. */
export async function readJob(runtime: Runtime, keyId: string, jobId: string): Promise<JobRecord | null> {
  const job = await runtime.readJob({ jobId, keyId });
  if (!job?.result || job.available === null) return job;
  const { usage } = job.result;
  const left = { credits_remaining: usdFromMicrousd(job.available) };
  return { ...job, result: { ...job.result, usage: { ...(usage as object), ...left } } };
}

/** New log lines of a job of the account of this key. */
export async function listJobLog(runtime: Runtime, keyId: string, jobId: string, afterSeq: number) {
  return await findJobLog(runtime.sql, { jobId, keyId }, afterSeq);
}
