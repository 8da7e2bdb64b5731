import { type SQL, sql } from 'drizzle-orm';
import type { Executor } from '@/db/client';
import { defineRow, float, integer, type RowOf, text } from '@/db/rows';
import { REFUSAL_DAYS } from '../calls/refusals/limits';
import { MAX_LISTED_REFUSALS } from './limits';
import type { Span, Unit } from './period';
import { BUCKET_MS, type ReportFilter, selectMemberKeys, selectTaggedKeys, toBucket } from './report-store';

/**
 * Refused calls with a code and limit, of these in one time bucket (milliseconds) or of a key, of a
 * tool, of a key, or all: other columns are null.
 */
const refusalRow = defineRow({
  code: text().nullable(),
  limit_name: text().nullable(),
  tool: text().nullable(),
  key_id: text().nullable(),
  at: float().nullable(),
  refused: float(),
  keys: integer(),
  /** The only tool of these calls, empty for an unknown one; null if they are of several. */
  only_tool: text().nullable(),
  first_ms: float(),
  last_ms: float(),
});
export type RefusalRow = RowOf<typeof refusalRow>;

function buildCondition({ accountIds, keyId, tool, member, tag, errorCode }: ReportFilter): SQL {
  return sql`r.account_id = any(${sql.param([...accountIds])}::text[])
    ${keyId === undefined ? sql`` : sql`and r.key_id = ${keyId}`}
    ${tool === undefined ? sql`` : sql`and r.tool = ${tool}`}
    ${errorCode === undefined ? sql`` : sql`and r.code = ${errorCode}`}
    ${member === undefined ? sql`` : sql`and r.key_id in ${selectMemberKeys(member)}`}
    ${tag === undefined ? sql`` : sql`and r.key_id in ${selectTaggedKeys(tag)}`}`;
}

function isWithin(time: SQL, { from, to }: Span): SQL {
  return sql`${time} >= ${from.toISOString()}::timestamptz and ${time} < ${to.toISOString()}::timestamptz`;
}

/** Counts refused calls by code and limit, these over time and by key, by tool, by key, and all. */
export async function countRefusals(
  db: Executor,
  filter: ReportFilter,
  span: Span,
  unit: Unit,
): Promise<RefusalRow[]> {
  return await refusalRow.read(
    db.execute(sql`
      with cells as materialized (
        select r.code, r.limit_name, r.tool, r.key_id, ${toBucket(sql`r.minute`, unit)} as bucket,
          sum(r.refused) as refused, min(r.minute) as first_at, max(r.last_at) as last_at
        from refusal_minutes r where ${buildCondition(filter)} and ${isWithin(sql`r.minute`, span)}
        group by 1, 2, 3, 4, 5
      )
      select code, limit_name, tool, key_id, ${BUCKET_MS} as at, sum(refused)::float8 as refused,
        count(distinct nullif(key_id, ''))::int as keys,
        case when min(cells.tool) = max(cells.tool) then min(cells.tool) end as only_tool,
        (extract(epoch from min(first_at)) * 1000)::float8 as first_ms,
        (extract(epoch from max(last_at)) * 1000)::float8 as last_ms
      from cells
      group by grouping sets ((code, limit_name), (code, limit_name, bucket), (key_id, code, limit_name), (tool), (key_id), ())
      having sum(refused) > 0`),
  );
}

const describedRow = defineRow({
  id: text(),
  account_id: text(),
  key_id: text(),
  at_ms: float(),
  request_id: text(),
  client_address: text().nullable(),
  tool: text(),
  skill: text(),
  code: text(),
  message: text(),
});

/** Lists the last refused calls, or those of a request, newest first. */
export async function listRefusals(db: Executor, filter: ReportFilter, span: Span) {
  return await describedRow.read(
    db.execute(sql`
      select r.id, r.account_id, r.key_id, (extract(epoch from r.at) * 1000)::float8 as at_ms, r.request_id,
        r.client_address, r.tool, r.skill, r.code, r.message
      from refusals r where ${buildCondition(filter)} and ${isWithin(sql`r.at`, span)}
        ${filter.requestId === undefined ? sql`` : sql`and r.request_id = ${filter.requestId}`}
      order by r.id desc limit ${MAX_LISTED_REFUSALS}`),
  );
}

const minuteRow = defineRow({
  at_ms: float(),
  key_id: text(),
  tool: text(),
  code: text(),
  limit_name: text(),
  refused: float(),
  last_ms: float(),
});
export type RefusalMinuteRow = RowOf<typeof minuteRow>;

/** Lists refused calls as they are counted, a row per minute, key, code and tool, newest first. */
export async function listRefusalMinutes(
  db: Executor,
  filter: ReportFilter,
  span: Span,
): Promise<RefusalMinuteRow[]> {
  return await minuteRow.read(
    db.execute(sql`
      select (extract(epoch from r.minute) * 1000)::float8 as at_ms, r.key_id, r.tool, r.code, r.limit_name,
        r.refused::float8 as refused, (extract(epoch from r.last_at) * 1000)::float8 as last_ms
      from refusal_minutes r where ${buildCondition(filter)} and ${isWithin(sql`r.minute`, span)}
      order by r.minute desc, r.key_id, r.code, r.limit_name, r.tool`),
  );
}

/** How many calls of an account were refused since a time. */
export async function sumRefused(db: Executor, accountId: string, from: Date): Promise<number> {
  const [row] = await defineRow({ refused: float() }).read(
    db.execute(sql`
      select coalesce(sum(refused), 0)::float8 as refused from refusal_minutes
      where account_id = ${accountId} and minute >= ${from.toISOString()}::timestamptz`),
  );
  return row?.refused ?? 0;
}

/** Whether the limit `l` of an account that the keys can charge was changed since it refused. */
function isLimitChanged(accountId: string): SQL {
  return sql`exists (
    select 1 from accounts p join memberships m on m.user_id = p.owner_user_id
      join audit_events e on e.account_id = m.account_id and e.created_at > l.last_at
    where p.id = ${accountId} and case l.limit_name
      when 'month' then e.action = 'account.limits' or (e.action = 'billing.preferences' and e.details -> 'budgetLimit' is not null)
      else e.action = 'team.member_limit' and e.target = p.owner_user_id end)`;
}

const blockedRow = defineRow({
  key_id: text(),
  code: text<'INSUFFICIENT_CREDITS' | 'RATE_LIMIT_EXCEEDED' | 'SPENDING_LIMIT_EXCEEDED'>(),
  limit_name: text(),
  refused: float(),
  since_ms: float(),
  last_ms: float(),
  retry_ms: float().nullable(),
});
export type BlockedRow = RowOf<typeof blockedRow>;

/**
 * Limits that refuse calls of keys now, the longest last: until they reset or are changed. A
 * change of a key is one of its rules; of other limits, the audit log has it. Missing credit ends
 * with the next credit or admitted call.
 */
export async function listBlocked(db: Executor, accountId: string): Promise<BlockedRow[]> {
  return await blockedRow.read(
    db.execute(sql`
      with refusals as materialized (
        select * from refusal_minutes
        where account_id = ${accountId} and retry_at > now() and code in ('RATE_LIMIT_EXCEEDED', 'SPENDING_LIMIT_EXCEEDED')
          and last_at > now() - make_interval(days => ${REFUSAL_DAYS}::int)
        union all
        select * from refusal_minutes
        where account_id = ${accountId} and minute > now() - interval '1 day 1 minute' and code = 'INSUFFICIENT_CREDITS'
          and last_at > now() - interval '1 day'
      ), limits as (
        select k.id as key_id, r.code, r.limit_name, sum(r.refused)::float8 as refused, min(r.minute) as since,
          max(r.last_at) as last_at, max(r.retry_at) as retry_at, k.last_used_at
        from api_keys k join refusals r on r.key_id = k.id
        where k.account_id = ${accountId} and k.revoked_at is null and r.rules_version = k.rules_version
        group by k.id, r.code, r.limit_name
      )
      select key_id, code, limit_name, refused, (extract(epoch from since) * 1000)::float8 as since_ms,
        (extract(epoch from last_at) * 1000)::float8 as last_ms,
        (extract(epoch from retry_at) * 1000)::float8 as retry_ms
      from limits l
      where not (limit_name in ('month', 'member') and ${isLimitChanged(accountId)})
        and (code <> 'INSUFFICIENT_CREDITS' or last_used_at is null or last_used_at < last_at)
        and (code <> 'INSUFFICIENT_CREDITS' or not exists (
          select 1 from ledger_entries e where e.account_id = ${accountId} and e.kind <> 'call'
            and e.amount_microusd > 0 and e.created_at > l.last_at))
      order by code = 'INSUFFICIENT_CREDITS', retry_at`),
  );
}
