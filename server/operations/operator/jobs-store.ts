import { type SQL, sql } from 'drizzle-orm';
import type { Executor } from '@/db/client';
import { boolean, defineRow, float, integer, type RowOf, text, timestamptz } from '@/db/rows';
import type { JobLine } from '../../calls/jobs/schema';
import type { OperatorJob, OperatorJobsInput } from './schema';

const jobDbRow = defineRow({
  id: text(),
  call_id: text(),
  account_id: text(),
  key_id: text(),
  tool: text(),
  skill: text(),
  status: text<OperatorJob['status']>(),
  queued: boolean(),
  stuck: boolean(),
  attempts: integer(),
  progress: float().nullable(),
  error: text().nullable(),
  error_code: text().nullable(),
  created_at: timestamptz(),
  started_at: timestamptz().nullable(),
  finished_at: timestamptz().nullable(),
});
export type JobDbRow = RowOf<typeof jobDbRow>;

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
  return await jobDbRow.read(
    db.execute(sql`${COLUMNS} where true
      ${before === null ? sql`` : sql`and j.id < ${before}`}
      ${status ? sql`and ${STATUS[status]}` : sql``}
      ${tool ? sql`and j.tool = ${tool}` : sql``}
      ${account_id ? sql`and j.account_id = ${account_id}` : sql``}
      ${older_minutes ? sql`and j.created_at < now() - make_interval(mins => ${older_minutes}::int)` : sql``}
      order by j.id desc limit ${limit}`),
  );
}

export async function findJob(db: Executor, id: string): Promise<JobDbRow | null> {
  const [row] = await jobDbRow.read(db.execute(sql`${COLUMNS} where j.id = ${id}`));
  return row ?? null;
}

const logRow = defineRow({ seq: integer(), at: timestamptz(), message: text() });

/** The last lines of a job's log, oldest first. */
export async function listLog(db: Executor, jobId: string, limit: number): Promise<JobLine[]> {
  const rows = await logRow.read(
    db.execute(sql`
      select seq, at, message from job_logs where job_id = ${jobId} order by seq desc limit ${limit}`),
  );
  return rows.map(({ seq, at, message }) => ({ seq, at: new Date(at).toISOString(), message })).reverse();
}

const toolRow = defineRow({ tool: text() });

export async function listJobTools(db: Executor): Promise<string[]> {
  const rows = await toolRow.read(db.execute(sql`select distinct tool from jobs order by tool limit 200`));
  return rows.map(({ tool }) => tool);
}
