import { arrayLiteral } from '@/db/array-literal';
import type { Sql } from '@/db/client';
import { defineRow, text } from '@/db/rows';
import type { Versions } from './versions';

const versionRow = defineRow({ session: text(), balance: text(), calls: text(), jobs: text() });

/**
 * Reads the versions of all accounts of each session's user, teams included; an ended session has
 * no entry. One statement that reads a few index rows per account: the newest hour of calls, the
 * newest minute of refused ones, running jobs, and the end of the last job.
 * @param sessions session hashes as stored, never tokens
 */
export async function readVersions(sql: Sql, sessions: readonly string[]): Promise<Map<string, Versions>> {
  const rows = await versionRow.read(sql`
    with asked as materialized (
      select s.session_token as session, s.user_id from sessions s
      where s.session_token = any(${arrayLiteral(sessions)}::text[]) and s.expires > now()
    ), versions as (
      select p.user_id,
        md5(string_agg(concat_ws(' ', a.id, a.name, m.role, a.balance_microusd, a.held_microusd, a.debt_microusd,
          a.disputed_at, a.frozen_at, a.budget_limit_microusd, a.auto_reload_enabled, a.reload_threshold_microusd,
          a.reload_amount_microusd, a.reload_daily_limit_microusd, a.reload_stopped_at), ',' order by a.id)) as balance,
        md5(string_agg(concat_ws(' ', a.id, c.hour, c.calls, f.minute, f.refused), ',' order by a.id)) as calls,
        md5(string_agg(concat_ws(' ', a.id, r.jobs, e.last), ',' order by a.id)) as jobs
      from (select distinct user_id from asked) p
      join memberships m on m.user_id = p.user_id
      join accounts a on a.id = m.account_id and a.closed_at is null
      left join lateral (
        select u.hour, sum(u.calls) as calls from usage_rollups u where u.account_id = a.id
        group by u.hour order by u.hour desc limit 1
      ) c on true
      left join lateral (
        select x.minute, sum(x.refused) as refused from refusal_minutes x where x.account_id = a.id
        group by x.minute order by x.minute desc limit 1
      ) f on true
      left join lateral (
        select string_agg(concat_ws(' ', j.id, j.status, j.progress), ',' order by j.id) as jobs from jobs j
        where j.account_id = a.id and j.finished_at is null
      ) r on true
      left join lateral (
        select max(j.finished_at) as last from jobs j where j.account_id = a.id and j.finished_at is not null
      ) e on true
      group by p.user_id
    )
    select asked.session, left(v.balance, 16) as balance, left(v.calls, 16) as calls, left(v.jobs, 16) as jobs
    from asked join versions v using (user_id)`);
  return new Map(rows.map(({ session, balance, calls, jobs }) => [session, { balance, calls, jobs }]));
}
