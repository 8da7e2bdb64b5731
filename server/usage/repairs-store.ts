import { type SQL, sql } from 'drizzle-orm';

/**
 * Common table expressions: when keys of the accounts, and what else limits their calls, were last
 * changed. A save of rules audits only those that it changed.
 * @param since an SQL timestamp
 */
export function selectChanges(accountIds: readonly string[], since: SQL): SQL {
  const ids = sql`${sql.param([...accountIds])}::text[]`;
  const rule = (name: string) => sql`max(e.created_at) filter (where e.details -> ${name}::text is not null)`;
  return sql`key_changes as materialized (
      select e.target as key_id, k.rules_version, ${rule('spend_limit')} as spend_at, ${rule('rate_limits')} as rates_at,
        ${rule('allowed_ips')} as networks_at, ${rule('allowed_tools')} as tools_at, ${rule('expires_at')} as expiry_at,
        max(e.created_at) filter (where e.action <> 'key.update') as credits_at
      from audit_events e join api_keys k on k.id = e.target
      where e.account_id = any(${ids}) and e.created_at > ${since}
        and e.action in ('key.update', 'key.add_credits', 'key.set_credit_limit')
      group by e.target, k.rules_version
    ), limit_changes as materialized (
      -- A key can charge the teams of its owner, too.
      select p.id as account_id, max(e.created_at) filter (where e.action <> 'team.member_limit') as month_at,
        max(e.created_at) filter (where e.action = 'team.member_limit') as member_at,
        max(e.created_at) filter (where e.action = 'account.limits' and e.account_id = p.id) as quotas_at
      from accounts p join memberships m on m.user_id = p.owner_user_id
        join audit_events e on e.account_id = m.account_id and e.created_at > ${since}
      where p.id = any(${ids}) and (e.action = 'account.limits'
        or e.action = 'billing.preferences' and e.details -> 'budgetLimit' is not null
        or e.action = 'team.member_limit' and e.target = p.owner_user_id)
      group by p.id
    ), new_credit as materialized (
      select e.account_id, max(e.created_at) as credit_at from ledger_entries e
      where e.account_id = any(${ids}) and e.kind <> 'call' and e.amount_microusd > 0 and e.created_at > ${since}
      group by e.account_id
    )`;
}

/**
 * Joins what `selectChanges` found to the refusals `r`. Their clock may differ from that of the
 * changes: rules that have not changed since repair nothing.
 */
export const JOIN_CHANGES = sql`left join key_changes c on c.key_id = r.key_id and c.rules_version > r.rules_version
  left join limit_changes a on a.account_id = r.account_id
  left join new_credit n on n.account_id = r.account_id`;

/** When the limit or rule that refused `r` was last changed: no other change repairs it. */
export const CHANGED_AT = sql`case
  when r.limit_name = 'month' then a.month_at
  when r.limit_name = 'member' then a.member_at
  when r.code = 'INSUFFICIENT_CREDITS' then case when r.limit_name = 'key' then c.credits_at else n.credit_at end
  when r.code = 'SPENDING_LIMIT_EXCEEDED' then c.spend_at
  when r.code = 'RATE_LIMIT_EXCEEDED' then greatest(c.rates_at, a.quotas_at)
  when r.code = 'IP_NOT_ALLOWED' then c.networks_at
  when r.code = 'TOOL_NOT_ALLOWED' then c.tools_at
  when r.code = 'AUTH_FAILED' then c.expiry_at
  end`;
