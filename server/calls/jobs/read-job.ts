import type { Sql } from '@/db/client';
import { GroupCommit } from '../../kit/group-commit';
import { findJobs, type JobLookup, type JobRecord } from './store';

/** Jobs with logs per statement: a larger group would block the event loop. */
const MAX_FULL_READS = 32;

/** Reads jobs in groups, because one ended job wakes many waiting polls; null if there is none. */
export type JobReader = (name: JobLookup) => Promise<JobRecord | null>;

export function createJobReader(sql: Sql): JobReader {
  const find = (names: JobLookup[]) => findJobs(sql, names);
  const polls = new GroupCommit<JobLookup, JobRecord | null>(find, 2);
  // Separate lanes: full reads do not queue behind the polls of jobs that still run.
  const fullReads = new GroupCommit<JobLookup, JobRecord | null>(find, 2, undefined, MAX_FULL_READS);
  return (name) => (name.omitRunningLog ? polls : fullReads).submit(name);
}
