import type { Sql } from '@/db/client';
import type { Runtime } from '../../core/runtime';
import { GroupCommit } from '../../kit/group-commit';
import { findJobLog, findJobs, type JobLookup, type JobRecord } from './store';

/** Jobs with logs per statement: a larger group would block the event loop. */
const MAX_FULL_READS = 32;

/** Reads jobs in groups, because one ended job wakes many waiting polls. */
export type JobReader = (name: JobLookup) => Promise<JobRecord | null>;

export function createJobReader(sql: Sql): JobReader {
  const find = (names: JobLookup[]) => findJobs(sql, names);
  const polls = new GroupCommit<JobLookup, JobRecord | null>(find, 2);
  // Separate lanes: full reads do not queue behind the polls of jobs that still run.
  const fullReads = new GroupCommit<JobLookup, JobRecord | null>(find, 2, undefined, MAX_FULL_READS);
  return (name) => (name.omitRunningLog ? polls : fullReads).submit(name);
}

/**
 * Reads a job of the account of this key; null if there is none. Concurrent reads share one record.
 */
export function readJob(
  runtime: Pick<Runtime, 'readJob'>,
  keyId: string,
  jobId: string,
): Promise<JobRecord | null> {
  return runtime.readJob({ jobId, keyId, omitRunningLog: false });
}

/** Like readJob, but a running job comes without its log, which a waiting poll does not need. */
export function pollJob(
  runtime: Pick<Runtime, 'readJob'>,
  keyId: string,
  jobId: string,
): Promise<JobRecord | null> {
  return runtime.readJob({ jobId, keyId, omitRunningLog: true });
}

/** Reads the new log lines of a job of the account of this key. */
export async function listJobLog(
  runtime: Pick<Runtime, 'sql'>,
  keyId: string,
  jobId: string,
  afterSeq: number,
) {
  return await findJobLog(runtime.sql, { keyId }, jobId, afterSeq);
}
