import type { Sql } from '@/db/client';
import type { Runtime } from '../../core/runtime';
import { GroupCommit } from '../../kit/group-commit';
import { findJobLog, findJobs, type JobName, type JobRecord } from './store';

/** Logs may be long: so many jobs with theirs are read by one statement, and taken in by one turn of the event loop. */
const MAX_WHOLE = 32;

/** Reads jobs in groups: one end wakes many that wait for it. */
export type JobReader = (name: JobName) => Promise<JobRecord | null>;

export function createJobReader(sql: Sql): JobReader {
  const find = (names: JobName[]) => findJobs(sql, names);
  const brief = new GroupCommit<JobName, JobRecord | null>(find, 2);
  // On lanes of their own: whoever is told of an end is not behind those whose wait was in vain.
  const whole = new GroupCommit<JobName, JobRecord | null>(find, 2, undefined, MAX_WHOLE);
  return (name) => (name.brief ? brief : whole).submit(name);
}

/** A job of the account of this key; null where there is none. Who asks together gets the same record. */
export function readJob(runtime: Runtime, keyId: string, jobId: string): Promise<JobRecord | null> {
  return runtime.readJob({ jobId, keyId, brief: false });
}

/** The same for who waits for its end: one that still runs comes without its log. */
export function lookForEnd(runtime: Runtime, keyId: string, jobId: string): Promise<JobRecord | null> {
  return runtime.readJob({ jobId, keyId, brief: true });
}

/** New log lines of a job of the account of this key. */
export async function listJobLog(runtime: Runtime, keyId: string, jobId: string, afterSeq: number) {
  return await findJobLog(runtime.sql, { keyId }, jobId, afterSeq);
}
