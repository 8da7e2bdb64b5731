import type { Sql } from '@/db/client';
import { GroupCommit } from '../group-commit';
import type { Runtime } from '../runtime';
import { findJobLog, findJobs, type JobName, type JobRecord } from './store';

/** Reads jobs in groups: one end wakes many that wait for it. */
export type JobReader = (name: JobName) => Promise<JobRecord | null>;

export function createJobReader(sql: Sql): JobReader {
  const group = new GroupCommit<JobName, JobRecord | null>((names) => findJobs(sql, names), 2);
  return (name) => group.submit(name);
}

/** A job of the account of this key; null where there is none. Who asks together gets the same record. */
export function readJob(runtime: Runtime, keyId: string, jobId: string): Promise<JobRecord | null> {
  return runtime.readJob({ jobId, keyId });
}

/** New log lines of a job of the account of this key. */
export async function listJobLog(runtime: Runtime, keyId: string, jobId: string, afterSeq: number) {
  return await findJobLog(runtime.sql, { keyId }, jobId, afterSeq);
}
