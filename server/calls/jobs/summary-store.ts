import { arrayLiteral } from '@/db/array-literal';
import type { Sql } from '@/db/client';
import { bigint, boolean, defineRow, float, integer, json, type RowOf, text, timestamptz } from '@/db/rows';
import type { CallResult } from '../result/schema';
import { type JobStatus, withBalance } from './store';

/** A job in a list, for its account or an operator. */
const summaryColumns = {
  id: text(),
  call_id: text(),
  account_id: text(),
  tool: text(),
  skill: text(),
  status: text<JobStatus>(),
  queued: boolean(),
  /** Its lease has expired, but it has not been ended yet. */
  stuck: boolean(),
  attempts: integer(),
  progress: float().nullable(),
  billing: text(),
  key_id: text(),
  key_name: text().nullable(),
  error: text().nullable(),
  error_code: text().nullable(),
  elapsed_ms: float(),
  /** The charge of its call; null while it runs. */
  cost: bigint().nullable(),
  created_at: timestamptz(),
  started_at: timestamptz().nullable(),
  finished_at: timestamptz().nullable(),
};
const summaryRow = defineRow(summaryColumns);
export type JobSummaryRow = RowOf<typeof summaryRow>;

/** Which jobs to list; those of all accounts without an account. */
export interface JobsQuery {
  accountId?: string | undefined;
  /** Of an operator's search by name. */
  accountIds?: readonly string[] | undefined;
  status?: JobStatus | 'unfinished' | 'stuck' | undefined;
  tool?: string | undefined;
  keyId?: string | undefined;
  /** Only jobs created more than this many minutes ago. */
  olderMinutes?: number | undefined;
  /** The id of the last job of the previous page. */
  after?: string | undefined;
  /** The default is newest first. */
  oldestFirst?: boolean;
  limit: number;
}

/** Lists jobs in the order of time, which is that of their ids: a job keeps it when it ends. */
export async function listJobSummaries(sql: Sql, query: JobsQuery): Promise<JobSummaryRow[]> {
  const { accountId, accountIds, status, tool, keyId, olderMinutes, after, oldestFirst, limit } = query;
  const [beyond, direction] = oldestFirst ? [sql`>`, sql`asc`] : [sql`<`, sql`desc`];
  // The subquery does not read the large result column, and looks up charges for one page only.
  return await summaryRow.read(sql`
    with page as (
      select j.id from jobs j where true
        ${accountId === undefined ? sql`` : sql`and j.account_id = ${accountId}`}
        ${accountIds === undefined ? sql`` : sql`and j.account_id = any(${arrayLiteral(accountIds)}::text[])`}
        ${status === undefined ? sql`` : sql`and ${hasStatus(sql, status)}`}
        ${tool === undefined ? sql`` : sql`and j.tool = ${tool}`}
        ${keyId === undefined ? sql`` : sql`and j.key_id = ${keyId}`}
        ${olderMinutes === undefined ? sql`` : sql`and j.created_at < now() - make_interval(mins => ${olderMinutes}::int)`}
        ${after === undefined ? sql`` : sql`and j.id ${beyond} ${after}`}
      order by j.id ${direction} limit ${limit}
    )
    select ${columns(sql)} from page p join jobs j on j.id = p.id ${joins(sql)} order by j.id ${direction}`);
}

function hasStatus(sql: Sql, status: NonNullable<JobsQuery['status']>) {
  if (status === 'unfinished') return sql`j.finished_at is null`;
  return status === 'stuck' ? isStuck(sql) : sql`j.status = ${status}`;
}

/** A call that has started has its lease in `calls`. */
function isStuck(sql: Sql) {
  return sql`(j.finished_at is null and coalesce(
    (select c.lease_expires_at from calls c where c.id = j.call_id), j.lease_expires_at) < now())`;
}

const jobResultRow = defineRow({
  ...summaryColumns,
  result: json<CallResult>().nullable(),
  available: bigint().nullable(),
});

/**
 * Returns one job with its result; null if it does not exist or is of another account.
 * @param accountId null for a job of any account
 */
export async function findJobSummary(
  sql: Sql,
  accountId: string | null,
  jobId: string,
): Promise<(JobSummaryRow & { result: CallResult | null }) | null> {
  const [row] = await jobResultRow.read(sql`
    select ${columns(sql)}, j.result, j.available_microusd as available from jobs j ${joins(sql)}
    where j.id = ${jobId} and (${accountId}::text is null or j.account_id = ${accountId})`);
  return row ? { ...row, result: row.result && withBalance(row.result, row.available) } : null;
}

function columns(sql: Sql) {
  return sql`j.id, j.call_id, j.account_id, j.tool, j.skill, j.status, j.queued, coalesce(${isStuck(sql)}, false) as stuck,
    j.attempts, j.progress,
    case when j.billing = 'personal' then coalesce((select a.slug from accounts a where a.id = j.account_id), 'personal')
      else j.billing end as billing, j.key_id, k.name as key_name, j.error,
    j.error_code, j.created_at, j.started_at, j.finished_at,
    case when j.finished_at is null then null else coalesce(u.cost, 0) end as cost,
    (extract(epoch from coalesce(j.finished_at, clock_timestamp()) - j.created_at) * 1000)::float8 as elapsed_ms`;
}

/**
 * The usage record has the key of the job, whichever account was charged. A call is never older
 * than its job, so the date bound skips earlier partitions.
 */
function joins(sql: Sql) {
  return sql`left join api_keys k on k.id = j.key_id
    left join lateral (
      select r.raw_cost_microusd + r.markup_microusd as cost from usage_records r
      where r.key_id = j.key_id and r.id = j.call_id and r.created_at >= j.created_at limit 1
    ) u on j.status = 'completed'`;
}

const countRow = defineRow({ n: integer() });

/** Counts the jobs of the account that have not ended. */
export async function countRunningJobs(sql: Sql, accountId: string): Promise<number> {
  const [row] = await countRow.read(sql`
    select count(*)::int as n from jobs where account_id = ${accountId} and finished_at is null`);
  return row?.n ?? 0;
}

const facetRow = defineRow({ tool: text(), key_id: text(), key_name: text().nullable() });

/** Lists the distinct tools and keys of the jobs of the account. */
export async function findJobFacets(
  sql: Sql,
  accountId: string,
): Promise<{ tool: string; key_id: string; key_name: string | null }[]> {
  return await facetRow.read(sql`
    select j.tool, j.key_id, k.name as key_name from (
      select distinct tool, key_id from jobs where account_id = ${accountId}
    ) j left join api_keys k on k.id = j.key_id`);
}
