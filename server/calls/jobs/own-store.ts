import type { Sql } from '@/db/client';
import { bigint, defineRow, float, integer, json, type RowOf, text, timestamptz } from '@/db/rows';
import type { CallResult } from '../result/schema';
import { type JobStatus, withBalance } from './store';

/** A job as shown to the owner of its account. */
const ownJobColumns = {
  id: text(),
  call_id: text(),
  tool: text(),
  skill: text(),
  status: text<JobStatus>(),
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
const ownJobRow = defineRow(ownJobColumns);
export type OwnJobRow = RowOf<typeof ownJobRow>;

/** Position of a page: after this job, among running or ended jobs. */
export interface JobCursor {
  ended: boolean;
  id: string;
}

interface OwnJobsQuery {
  status?: 'running' | 'completed' | 'failed' | 'cancelled' | undefined;
  tool?: string | undefined;
  keyId?: string | undefined;
  after?: JobCursor | undefined;
  limit: number;
}

/** Lists jobs of an account: running first, then ended, each newest first. */
export async function listAccountJobs(
  sql: Sql,
  accountId: string,
  query: OwnJobsQuery,
): Promise<OwnJobRow[]> {
  const { status, tool, keyId, after, limit } = query;
  const within = sql`j.account_id = ${accountId}
    ${tool === undefined ? sql`` : sql`and j.tool = ${tool}`}
    ${keyId === undefined ? sql`` : sql`and j.key_id = ${keyId}`}
    ${status === undefined || status === 'running' ? sql`` : sql`and j.status = ${status}`}`;
  const before = after ? sql`and j.id < ${after.id}` : sql``;
  const running =
    after?.ended || (status !== undefined && status !== 'running')
      ? sql`false`
      : sql`${within} and j.finished_at is null ${before}`;
  const ended =
    status === 'running'
      ? sql`false`
      : sql`${within} and j.finished_at is not null ${after?.ended ? before : sql``}`;
  // Each branch uses its index, and the large result column is not read.
  return await ownJobRow.read(sql`
    with page as (
      (select j.id, j.finished_at from jobs j where ${running} order by j.id desc limit ${limit})
      union all
      (select j.id, j.finished_at from jobs j where ${ended} order by j.id desc limit ${limit})
    )
    select ${columns(sql)} from (select * from page order by finished_at is null desc, id desc limit ${limit}) p
    join jobs j on j.id = p.id ${joins(sql)}
    order by p.finished_at is null desc, j.id desc`);
}

const ownJobResultRow = defineRow({
  ...ownJobColumns,
  result: json<CallResult>().nullable(),
  available: bigint().nullable(),
});

/** Returns one job with its result; null if it does not exist or is of another account. */
export async function findAccountJob(
  sql: Sql,
  accountId: string,
  jobId: string,
): Promise<(OwnJobRow & { result: CallResult | null }) | null> {
  const [row] = await ownJobResultRow.read(sql`
    select ${columns(sql)}, j.result, j.available_microusd as available from jobs j ${joins(sql)}
    where j.id = ${jobId} and j.account_id = ${accountId}`);
  return row ? { ...row, result: row.result && withBalance(row.result, row.available) } : null;
}

interface JobsByAgeQuery {
  status?: JobStatus | undefined;
  tool?: string | undefined;
  keyId?: string | undefined;
  /** The id of the last job of the previous page. */
  before?: string | undefined;
  limit: number;
}

/** Lists jobs of an account in the order of their ids, which a job keeps when it ends. */
export async function listJobsByAge(
  sql: Sql,
  accountId: string,
  { status, tool, keyId, before, limit }: JobsByAgeQuery,
): Promise<OwnJobRow[]> {
  // The subquery does not read the large result column, and looks up charges for one page only.
  return await ownJobRow.read(sql`
    with page as (
      select j.id from jobs j where j.account_id = ${accountId}
        ${status === undefined ? sql`` : sql`and j.status = ${status}`}
        ${tool === undefined ? sql`` : sql`and j.tool = ${tool}`}
        ${keyId === undefined ? sql`` : sql`and j.key_id = ${keyId}`}
        ${before === undefined ? sql`` : sql`and j.id < ${before}`}
      order by j.id desc limit ${limit}
    )
    select ${columns(sql)} from page p join jobs j on j.id = p.id ${joins(sql)} order by j.id desc`);
}

function columns(sql: Sql) {
  return sql`j.id, j.call_id, j.tool, j.skill, j.status, j.progress,
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
