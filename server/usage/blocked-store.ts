import { sql } from 'drizzle-orm';
import type { Executor } from '@/db/client';
import { boolean, defineRow, float, integer, type RowOf, text } from '@/db/rows';
import { REFUSAL_DAYS } from '../calls/refusals/limits';
import { lowestIdAt } from '../kit/ids';
import { CLOCKS_APART_MS } from './calls-store';
import type { Span } from './period';
import { buildRefusalCondition } from './refusals-store';
import { CHANGED_AT, JOIN_CHANGES, selectChanges } from './repairs-store';
import type { ReportFilter } from './report-store';
import type { ToolProvider } from './tool-providers';

const DAY_MS = 86_400_000;
/** The calls of a key among which its last success is looked for: the newest ones. */
const LAST_CALLS = 1_000;

/**
 * The lowest id of calls since then: those of a key are indexed by id, so a bound on their time
 * alone would read all of them.
 */
function lowestCallId(since: Date): string {
  return lowestIdAt('call', since.getTime() - CLOCKS_APART_MS);
}

const blockedRow = defineRow({
  key_id: text(),
  key_name: text(),
  kind: text<'api' | 'playground' | 'oauth'>(),
  code: text<'INSUFFICIENT_CREDITS' | 'RATE_LIMIT_EXCEEDED' | 'SPENDING_LIMIT_EXCEEDED'>(),
  limit_name: text(),
  refused: float(),
  since_ms: float(),
  last_ms: float(),
  retry_ms: float().nullable(),
});
export type BlockedRow = RowOf<typeof blockedRow>;

/**
 * Limits that refuse calls of keys now, the longest last: until they reset or are changed. Each
 * ends with the next success of the key that it could have refused, too. Calls are counted since
 * the last one; of that minute, only those that are described.
 */
export async function listBlocked(db: Executor, accountId: string): Promise<BlockedRow[]> {
  const oldest = new Date(Date.now() - REFUSAL_DAYS * DAY_MS);
  const start = sql`${oldest.toISOString()}::timestamptz`;
  return await blockedRow.read(
    db.execute(sql`
      with ${selectChanges([accountId], start)}, recent as materialized (
        select * from refusal_minutes
        where account_id = ${accountId} and retry_at > now() and code in ('RATE_LIMIT_EXCEEDED', 'SPENDING_LIMIT_EXCEEDED')
          and last_at > ${start}
        union all
        select * from refusal_minutes
        where account_id = ${accountId} and minute > now() - interval '1 day 1 minute' and code = 'INSUFFICIENT_CREDITS'
          and last_at > now() - interval '1 day'
      ), minutes as materialized (
        select r.* from recent r ${JOIN_CHANGES} where coalesce(r.last_at > ${CHANGED_AT}, true)
      ), limits as materialized (
        select k.id as key_id, k.name, k.kind, r.code, r.limit_name, min(r.minute) as since,
          max(r.last_at) as last_at, max(r.retry_at) as retry_at
        from api_keys k join minutes r on r.key_id = k.id
        where k.account_id = ${accountId} and k.revoked_at is null
        group by k.id, r.code, r.limit_name
      ), in_force as materialized (
        select l.*, (
          select max(u.created_at) from (
            select u.created_at, u.status, u.raw_cost_microusd + u.markup_microusd as cost from usage_records u
            where u.key_id = l.key_id and u.id >= ${lowestCallId(oldest)} and u.created_at > ${start}
            order by u.id desc limit ${LAST_CALLS}
          ) u where u.created_at > l.since and u.status = 'success' and (u.cost > 0 or l.code = 'RATE_LIMIT_EXCEEDED')
        ) as success_at
        from limits l
      )
      -- A join, which is hashed: a subquery would read all minutes again for each limit.
      select l.key_id, l.name as key_name, l.kind, l.code, l.limit_name, coalesce(sum(
          case when r.minute > l.success_at or l.success_at is null then r.refused else least(r.refused, greatest(1, (
            select count(*) from refusals d
            where d.account_id = ${accountId} and d.key_id = r.key_id and d.code = r.code and r.tool in ('', d.tool)
              and d.at > l.success_at and d.at <= r.last_at
          ))) end
        ) filter (where r.minute is not null), 0)::float8 as refused,
        (extract(epoch from coalesce(
          greatest(min(r.minute), case when count(r.minute) > 0 then l.success_at end), l.last_at
        )) * 1000)::float8 as since_ms,
        (extract(epoch from l.last_at) * 1000)::float8 as last_ms,
        (extract(epoch from l.retry_at) * 1000)::float8 as retry_ms
      from in_force l left join minutes r on r.key_id = l.key_id and r.code = l.code and r.limit_name = l.limit_name
        and (l.success_at is null or r.last_at > l.success_at)
      where l.success_at is null or l.success_at < l.last_at
      group by l.key_id, l.name, l.kind, l.code, l.limit_name, l.success_at, l.last_at, l.retry_at
      order by l.code = 'INSUFFICIENT_CREDITS', l.retry_at`),
  );
}

const reasonRow = defineRow({
  key_id: text(),
  key_name: text().nullable(),
  kind: text<'api' | 'playground' | 'oauth'>().nullable(),
  code: text(),
  limit_name: text(),
  /** The only tool of these calls, empty for an unknown one; null if they are of several. */
  only_tool: text().nullable(),
  /** The tool of the last of them. */
  last_tool: text(),
  tools: integer(),
  refused: float(),
  last_ms: float(),
  /** Nothing of the cause is left, as far as is known; else the fields above leave repaired out. */
  repaired: boolean(),
  /** When the cause ended; null if that is not known, as when a corrected call succeeds. */
  repaired_ms: float().nullable(),
  /** A limit has reset, and is the same. */
  reset: boolean(),
});
export type ReasonRow = RowOf<typeof reasonRow>;

/** Whether the rules that the key `k` has now allow what was refused by the tools of its rules. */
const IS_TOOL_ALLOWED = sql`k.id is not null and (k.allowed_tools is null or r.tool = any(k.allowed_tools)
  or coalesce(t.allowed, r.last_at < c.tools_at, false))`;

/** When the cause of `r` ended: it was changed, a provider key was saved, or a limit has reset. */
const ENDED_AT = sql`case
  when r.code = 'MISSING_CREDENTIALS' then v.saved_at
  when coalesce(${CHANGED_AT} > r.last_at, false) then ${CHANGED_AT}
  when r.retry_at <= now() then r.retry_at end`;

/**
 * Counts refused calls by key and reason, the last refused first, each with whether it is repaired:
 * the limit or rule that refused was changed or has reset, credit was added, a provider key saved,
 * or its key succeeded with that tool since then. A reason is repaired if it is for all of its
 * tools.
 * @param providers the providers of each tool
 */
export async function listReasons(
  db: Executor,
  filter: ReportFilter,
  { from, to }: Span,
  providers: readonly ToolProvider[],
): Promise<ReasonRow[]> {
  const start = sql`${from.toISOString()}::timestamptz`;
  return await reasonRow.read(
    db.execute(sql`
      with ${selectChanges(filter.accountIds, start)}, cells as materialized (
        select r.account_id, r.key_id, r.code, r.limit_name, r.tool, sum(r.refused) as refused, max(r.last_at) as last_at,
          max(r.rules_version) as rules_version, max(r.retry_at) as retry_at
        from refusal_minutes r
        where ${buildRefusalCondition(filter)} and r.minute >= ${start} and r.minute < ${to.toISOString()}::timestamptz
        group by 1, 2, 3, 4, 5
      ), successes as materialized (
        -- Once for each key, not for each reason.
        select k.key_id, u.tool, max(u.created_at) as at, max(u.created_at) filter (where u.cost > 0) as paid_at
        from (select distinct key_id from cells) k cross join lateral (
          select u.tool, u.status, u.created_at, u.raw_cost_microusd + u.markup_microusd as cost from usage_records u
          where u.key_id = k.key_id and u.id >= ${lowestCallId(from)} and u.created_at >= ${start}
          order by u.id desc limit ${LAST_CALLS}
        ) u
        where u.status = 'success'
        group by k.key_id, u.tool
      ), described_tools as materialized (
        -- Which skill was refused is only in the last descriptions.
        select d.key_id, d.tool, bool_and(d.tool || '.' || d.skill = any(k.allowed_tools)) as allowed
        from refusals d join api_keys k on k.id = d.key_id
        where d.account_id = any(${sql.param([...filter.accountIds])}::text[]) and d.code = 'TOOL_NOT_ALLOWED'
        group by 1, 2
      ), saved_keys as materialized (
        select e.account_id, p.tool, max(e.created_at) as saved_at
        from audit_events e join json_to_recordset(${JSON.stringify(providers)}::json) as p(tool text, provider text)
          on p.provider = e.details ->> 'slot'
        where e.account_id = any(${sql.param([...filter.accountIds])}::text[]) and e.created_at > ${start}
          and e.action = 'credential.save'
        group by 1, 2
      ), judged as materialized (
        select r.*, k.name, k.kind, case when ${ENDED_AT} > r.last_at then ${ENDED_AT} end as ended_at,
          coalesce(${CHANGED_AT} > r.last_at, false) as changed, case
          when r.code = 'AUTH_FAILED' then k.revoked_at is null and coalesce(k.expires_at > now(), k.id is not null)
          when k.revoked_at is not null then true
          when r.code = 'TOOL_NOT_ALLOWED' then ${IS_TOOL_ALLOWED}
          when coalesce(${ENDED_AT} > r.last_at, false) then true
          when r.code = 'IP_NOT_ALLOWED' then false
          when r.code in ('INSUFFICIENT_CREDITS', 'SPENDING_LIMIT_EXCEEDED') then coalesce(s.paid_at > r.last_at, false)
          else coalesce(s.at > r.last_at, false) end as repaired
        from cells r left join api_keys k on k.id = r.key_id ${JOIN_CHANGES}
          left join successes s on s.key_id = r.key_id and s.tool = r.tool
          left join described_tools t on t.key_id = r.key_id and t.tool = r.tool
          left join saved_keys v on v.account_id = r.account_id and v.tool = r.tool
      ), reasons as (
        select *, bool_and(repaired) over (partition by key_id, code, limit_name) as all_repaired from judged
      )
      select key_id, name as key_name, kind, code, limit_name, sum(refused)::float8 as refused,
        case when min(r.tool) = max(r.tool) then min(r.tool) end as only_tool,
        (array_agg(r.tool order by last_at desc))[1] as last_tool, count(distinct nullif(r.tool, ''))::int as tools,
        (extract(epoch from max(last_at)) * 1000)::float8 as last_ms, all_repaired as repaired,
        (extract(epoch from max(ended_at)) * 1000)::float8 as repaired_ms,
        coalesce((array_agg(r.retry_at is not null and not r.changed order by ended_at desc nulls last))[1], false) as reset
      from reasons r where all_repaired or not repaired
      group by key_id, name, kind, code, limit_name, all_repaired
      order by max(last_at) desc`),
  );
}

const messageRow = defineRow({
  key_id: text(),
  code: text(),
  tool: text(),
  skill: text(),
  message: text(),
});
export type LastMessage = RowOf<typeof messageRow>;

/** Lists what the last refused call of each key, code and tool got, of those that are described. */
export async function listLastMessages(db: Executor, accountId: string): Promise<LastMessage[]> {
  return await messageRow.read(
    db.execute(sql`
      select distinct on (key_id, code, tool) key_id, code, tool, skill, message from refusals
      where account_id = ${accountId} order by key_id, code, tool, id desc`),
  );
}
