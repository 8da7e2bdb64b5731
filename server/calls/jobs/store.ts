import { sql } from 'drizzle-orm';
import { arrayLiteral } from '@/db/array-literal';
import type { Executor, Sql } from '@/db/client';
import { bigint, boolean, defineRow, float, integer, json, type RowOf, text, timestamptz } from '@/db/rows';
import { isRestricted } from '../../identity/keys/resolve-keys';
import { type Microusd, usdFromMicrousd } from '../../kit/money';
import type { CallResult } from '../result/schema';
import type { StoredLine } from './job-log-store';

export type JobStatus = 'pending' | 'running' | 'completed' | 'failed' | 'cancelled';

/**
 * A job and the requesting key. The key sees the jobs of its account, also after an account claim
 * moved both; a restricted key sees only the jobs of its own calls.
 */
export interface JobLookup {
  jobId: string;
  keyId: string;
  /** Skips the log of a job that still runs: a waiting poll does not return it. */
  omitRunningLog: boolean;
}

const jobRow = defineRow({
  position: integer(),
  id: text(),
  callId: text(),
  tool: text(),
  skill: text(),
  status: text<JobStatus>(),
  /** Set if the job is completed. */
  result: json<CallResult>().nullable(),
  /** Of the result as JSON; 0 without one. */
  resultBytes: integer(),
  available: bigint().nullable(),
  error: text().nullable(),
  errorCode: text().nullable(),
  progress: float().nullable(),
  logs: json<string[]>(),
  elapsedMs: float(),
  createdAt: timestamptz(),
  finishedAt: timestamptz().nullable(),
});
/** A job as its account sees it. */
export type JobRecord = RowOf<typeof jobRow>;

/**
 * Reads a group of jobs, each for its requesting key; null if the job does not exist or the key may
 * not see it.
 */
export async function findJobs(sql: Sql, lookups: JobLookup[]): Promise<(JobRecord | null)[]> {
  // Many requests may name the same job: read it once.
  const distinct = [...new Map(lookups.map((name) => [toLookupKey(name), name])).values()];
  const rows = await jobRow.read(sql`
    select u.position::int, j.id, j.call_id as "callId", j.tool, j.skill, j.status, j.result,
      coalesce(octet_length(j.result::text), 0) as "resultBytes", j.available_microusd as available, j.error,
      j.error_code as "errorCode", j.progress, coalesce(l.logs, '[]') as logs,
      (extract(epoch from coalesce(j.finished_at, clock_timestamp()) - j.created_at) * 1000)::float8 as "elapsedMs",
      j.created_at as "createdAt", j.finished_at as "finishedAt"
    -- The subquery hides the array size from the planner: one plan per connection. Each LIMIT
    -- forces a lookup per job; a join would scan the jobs of all keys while there are few.
    from unnest((select ${arrayLiteral(distinct.map((n) => n.jobId))}::text[]), ${arrayLiteral(distinct.map((n) => n.keyId))}::text[],
      ${arrayLiteral(distinct.map((n) => n.omitRunningLog))}::boolean[]) with ordinality as u(job_id, key_id, omit_log, position)
    cross join lateral (select * from jobs where id = u.job_id limit 1) j
    cross join lateral (select 1 from api_keys k where k.id = u.key_id and k.account_id = j.account_id
      and (k.id = j.key_id or not ${isRestricted(sql)}) limit 1) k
    left join lateral (
      select json_agg(g.message order by g.seq) as logs from job_logs g
      where g.job_id = j.id and (not u.omit_log or j.finished_at is not null)
    ) l on true`);
  const byLookup = new Map<string, JobRecord>();
  for (const row of rows) {
    row.result &&= withBalance(row.result, row.available);
    byLookup.set(toLookupKey(distinct[row.position - 1] as JobLookup), row);
  }
  return lookups.map((name) => byLookup.get(toLookupKey(name)) ?? null);
}

function toLookupKey({ jobId, keyId, omitRunningLog }: JobLookup): string {
  return `${keyId} ${jobId} ${omitRunningLog}`;
}

/** Adds the balance after settlement to a result, which was written before the charge was known. */
export function withBalance(result: CallResult, available: Microusd | null): CallResult {
  if (available === null || !result.usage) return result;
  return { ...result, usage: { ...result.usage, credits_remaining: usdFromMicrousd(available) } };
}

/** The owner of a job: the account of a key, or an account. */
export type JobOwner = { keyId: string } | { accountId: string };

const logRow = defineRow({
  seq: integer().nullable(),
  at: timestamptz().nullable(),
  message: text().nullable(),
  line_progress: float().nullable(),
  progress: float().nullable(),
  status: text<JobStatus>(),
});

/**
 * Reads the log lines after a position, and the state of the job; the status is null if there is no
 * such job or it is of another account.
 */
export async function findJobLog(
  sql: Sql,
  owner: JobOwner,
  jobId: string,
  afterSeq: number,
): Promise<{ lines: StoredLine[]; progress: number | null; status: JobStatus | null }> {
  const accountId =
    'keyId' in owner
      ? sql`(select k.account_id from api_keys k where k.id = ${owner.keyId})`
      : sql`${owner.accountId}`;
  const rows = await logRow.read(sql`
    select l.seq, l.at, l.message, l.progress as line_progress, j.progress, j.status from jobs j
    left join job_logs l on l.job_id = j.id and l.seq > ${afterSeq}::int
    where j.id = ${jobId} and j.account_id = ${accountId} order by l.seq`);
  const lines = rows.flatMap(({ seq, at, message, line_progress }) =>
    seq === null || at === null || message === null
      ? []
      : [{ seq, at: new Date(at).toISOString(), message, progress: line_progress }],
  );
  return { lines, progress: rows[0]?.progress ?? null, status: rows[0]?.status ?? null };
}

/** The last line of a cancelled job's log, and the response of its call. */
export interface CancelNotice {
  line: string;
  reply: object;
}

/** The jobs of an account; with a key, only those of this key. */
export interface CancelScope {
  accountId: string;
  keyId: string | null;
}

const cancelledRow = defineRow({ account_id: text(), cancelled: boolean() });

/**
 * Cancels a running job.
 * @param scope null for a job of any account
 * @returns the account of the job; null if it was not running or is not in the scope
 */
export async function cancelStoredJob(
  db: Pick<Executor, 'execute'>,
  scope: CancelScope | null,
  jobId: string,
  { line, reply }: CancelNotice,
): Promise<string | null> {
  const [row] = await cancelledRow.read(
    db.execute(sql`
      select j.account_id, cancel_job(j.id, j.account_id, ${line}, ${JSON.stringify(reply)}::text::json) as cancelled
      from jobs j where j.id = ${jobId}
        ${scope === null ? sql`` : sql`and j.account_id = ${scope.accountId}`}
        ${scope?.keyId ? sql`and j.key_id = ${scope.keyId}` : sql``}`),
  );
  return row?.cancelled ? row.account_id : null;
}
