import { type SQL, sql } from 'drizzle-orm';
import type { Executor } from '@/db/client';
import type { JobLine } from '../../calls/jobs/schema';
import type { OperatorJob, OperatorJobsInput } from './schema';

export interface JobDbRow extends Record<string, unknown> {
  id: string;
  call_id: string;
  account_id: string;
  key_id: string;
  tool: string;
  skill: string;
  status: OperatorJob['status'];
  queued: boolean;
  stuck: boolean;
  attempts: number;
  progress: number | null;
  error: string | null;
  error_code: string | null;
  created_at: string;
  started_at: string | null;
  finished_at: string | null;
}

const STUCK = sql`(j.finished_at is null and coalesce(c.lease_expires_at, j.lease_expires_at) < now())`;

/** Without input and result, which are private to the account. */
const COLUMNS = sql`
  select j.id, j.call_id, j.account_id, j.key_id, j.tool, j.skill, j.status, j.queued, coalesce(${STUCK}, false) as stuck,
    j.attempts, j.progress, j.error, j.error_code, j.created_at, j.started_at, j.finished_at
  from jobs j left join calls c on c.id = j.call_id`;

const STATUS = {
  running: sql`j.status = 'running'`,
  queued: sql`j.status = 'pending'`,
  stuck: STUCK,
  completed: sql`j.status = 'completed'`,
  failed: sql`j.status = 'failed'`,
  cancelled: sql`j.status = 'cancelled'`,
} satisfies Record<NonNullable<OperatorJobsInput['status']>, SQL>;

/** Jobs of all accounts, newest first. */
export async function listJobs(
  db: Executor,
  { status, tool, account_id, older_minutes }: OperatorJobsInput,
  before: string | null,
  limit: number,
): Promise<JobDbRow[]> {
  return await db.execute<JobDbRow>(sql`${COLUMNS} where true
    ${before === null ? sql`` : sql`and j.id < ${before}`}
    ${status ? sql`and ${STATUS[status]}` : sql``}
    ${tool ? sql`and j.tool = ${tool}` : sql``}
    ${account_id ? sql`and j.account_id = ${account_id}` : sql``}
    ${older_minutes ? sql`and j.created_at < now() - make_interval(mins => ${older_minutes}::int)` : sql``}
    order by j.id desc limit ${limit}`);
}

export async function findJob(db: Executor, id: string): Promise<JobDbRow | null> {
  const [row] = await db.execute<JobDbRow>(sql`${COLUMNS} where j.id = ${id}`);
  return row ?? null;
}

/** The last lines of a job's log, oldest first. */
export async function listLog(db: Executor, jobId: string, limit: number): Promise<JobLine[]> {
  const rows = await db.execute<{ seq: number; at: string; message: string }>(sql`
    select seq, at, message from job_logs where job_id = ${jobId} order by seq desc limit ${limit}`);
  return rows.map(({ seq, at, message }) => ({ seq, at: new Date(at).toISOString(), message })).reverse();
}

export async function listJobTools(db: Executor): Promise<string[]> {
  const rows = await db.execute<{ tool: string }>(
    sql`select distinct tool from jobs order by tool limit 200`,
  );
  return rows.map(({ tool }) => tool);
}
