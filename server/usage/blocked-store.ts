import { type SQL, sql } from 'drizzle-orm';
import type { Executor } from '@/db/client';
import { defineRow, float, type RowOf, text } from '@/db/rows';
import { REFUSAL_DAYS } from '../calls/refusals/limits';
import { lowestIdAt } from '../kit/ids';
import { CLOCKS_APART_MS } from './calls-store';
import type { Span } from './period';

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

/** Whether the limit `l` of an account that the keys can charge was changed since it refused. */
function isLimitChanged(accountId: string): SQL {
  return sql`exists (
    select 1 from accounts p join memberships m on m.user_id = p.owner_user_id
      join audit_events e on e.account_id = m.account_id and e.created_at > l.last_at
    where p.id = ${accountId} and case l.limit_name
      when 'month' then e.action = 'account.limits' or (e.action = 'billing.preferences' and e.details -> 'budgetLimit' is not null)
      else e.action = 'team.member_limit' and e.target = p.owner_user_id end)`;
}

/** Whether the account got credit since its limit `l` refused. */
function hasNewCredit(accountId: string): SQL {
  return sql`exists (
    select 1 from ledger_entries e where e.account_id = ${accountId} and e.kind <> 'call'
      and e.amount_microusd > 0 and e.created_at > l.last_at)`;
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
 * Limits that refuse calls of keys now, the longest last: until they reset or are changed. A
 * change of a key is one of its rules; of other limits, the audit log has it. Each ends with the
 * next success of the key that it could have refused, too. Calls are counted since the last one; of
 * that minute, only those that are described.
 */
export async function listBlocked(db: Executor, accountId: string): Promise<BlockedRow[]> {
  const oldest = new Date(Date.now() - REFUSAL_DAYS * DAY_MS);
  return await blockedRow.read(
    db.execute(sql`
      with minutes as materialized (
        select * from refusal_minutes
        where account_id = ${accountId} and retry_at > now() and code in ('RATE_LIMIT_EXCEEDED', 'SPENDING_LIMIT_EXCEEDED')
          and last_at > ${oldest.toISOString()}::timestamptz
        union all
        select * from refusal_minutes
        where account_id = ${accountId} and minute > now() - interval '1 day 1 minute' and code = 'INSUFFICIENT_CREDITS'
          and last_at > now() - interval '1 day'
      ), limits as materialized (
        select k.id as key_id, k.name, k.kind, k.rules_version, r.code, r.limit_name, min(r.minute) as since,
          max(r.last_at) as last_at, max(r.retry_at) as retry_at
        from api_keys k join minutes r on r.key_id = k.id
        where k.account_id = ${accountId} and k.revoked_at is null and r.rules_version = k.rules_version
        group by k.id, r.code, r.limit_name
      ), in_force as materialized (
        select l.*, (
          select max(u.created_at) from (
            select u.created_at, u.status, u.raw_cost_microusd + u.markup_microusd as cost from usage_records u
            where u.key_id = l.key_id and u.id >= ${lowestCallId(oldest)} and u.created_at > ${oldest.toISOString()}::timestamptz
            order by u.id desc limit ${LAST_CALLS}
          ) u where u.created_at > l.since and u.status = 'success' and (u.cost > 0 or l.code = 'RATE_LIMIT_EXCEEDED')
        ) as success_at
        from limits l
        where not (limit_name in ('month', 'member') and ${isLimitChanged(accountId)})
          and not (code = 'INSUFFICIENT_CREDITS' and limit_name <> 'key' and ${hasNewCredit(accountId)})
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
        and r.rules_version = l.rules_version and (l.success_at is null or r.last_at > l.success_at)
      where l.success_at is null or l.success_at < l.last_at
      group by l.key_id, l.name, l.kind, l.code, l.limit_name, l.success_at, l.last_at, l.retry_at
      order by l.code = 'INSUFFICIENT_CREDITS', l.retry_at`),
  );
}

const unrepairedRow = defineRow({
  key_id: text(),
  key_name: text().nullable(),
  kind: text<'api' | 'playground' | 'oauth'>().nullable(),
  code: text(),
  limit_name: text(),
  only_tool: text().nullable(),
  refused: float(),
  last_ms: float(),
});
export type UnrepairedRow = RowOf<typeof unrepairedRow>;

/** Codes of refusals by the rules of a key: with later rules, they may not hold any more. */
const OF_RULES = sql`('RATE_LIMIT_EXCEEDED', 'SPENDING_LIMIT_EXCEEDED', 'INSUFFICIENT_CREDITS', 'TOOL_NOT_ALLOWED',
  'IP_NOT_ALLOWED', 'KEY_RESTRICTED', 'AUTH_FAILED')`;

/**
 * Counts refused calls of an account by key and reason, the last refused first, if one of them is
 * not repaired: since then its key succeeded with that tool, the rules or the limit changed, or
 * credit was added. A revoked key is listed only if it is still used.
 */
export async function listUnrepaired(
  db: Executor,
  accountId: string,
  { from, to }: Span,
): Promise<UnrepairedRow[]> {
  const start = sql`${from.toISOString()}::timestamptz`;
  return await unrepairedRow.read(
    db.execute(sql`
      with cells as materialized (
        select r.key_id, r.code, r.limit_name, r.tool, r.rules_version, sum(r.refused) as refused, max(r.last_at) as last_at
        from refusal_minutes r
        where r.account_id = ${accountId} and r.minute >= ${start} and r.minute < ${to.toISOString()}::timestamptz
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
      )
      select l.key_id, k.name as key_name, k.kind, l.code, l.limit_name, sum(l.refused)::float8 as refused,
        case when min(l.tool) = max(l.tool) then min(l.tool) end as only_tool,
        (extract(epoch from max(l.last_at)) * 1000)::float8 as last_ms
      from cells l left join api_keys k on k.id = l.key_id
        left join successes s on s.key_id = l.key_id and s.tool = l.tool
      group by l.key_id, k.name, k.kind, l.code, l.limit_name
      having bool_or(not (
        l.code in ${OF_RULES} and l.rules_version < coalesce(k.rules_version, 0)
        or l.code <> 'AUTH_FAILED' and k.revoked_at is not null
        or l.limit_name in ('month', 'member') and ${isLimitChanged(accountId)}
        or l.code = 'INSUFFICIENT_CREDITS' and l.limit_name <> 'key' and ${hasNewCredit(accountId)}
        or coalesce(l.last_at < case
          when l.code in ('INSUFFICIENT_CREDITS', 'SPENDING_LIMIT_EXCEEDED') then s.paid_at else s.at end, false)
      ))
      order by max(l.last_at) desc`),
  );
}
