import { sql } from 'drizzle-orm';
import type { Executor } from '@/db/client';
import { bigint, defineRow, type RowOf, text } from '@/db/rows';

/**
 * Sets or removes the monthly limit of a member of a locked team. Without a limit before, the month
 * so far is summed up: ended calls from the roll-ups, running ones by what they hold.
 */
export async function saveMemberLimit(
  tx: Executor,
  teamId: string,
  userId: string,
  limit: bigint | null,
): Promise<void> {
  if (limit === null) {
    await tx.execute(sql`
      update memberships set spend_limit_microusd = null, spend_microusd = 0, spend_since = null, spend_ceiling_microusd = null
      where account_id = ${teamId} and user_id = ${userId}`);
    return;
  }
  await tx.execute(sql`
    with month as (
      select date_trunc('month', clock_timestamp(), 'UTC') as began
    ), keys as (
      select k.id from accounts p join api_keys k on k.account_id = p.id where p.owner_user_id = ${userId} and p.type = 'personal'
    ), spent as (
      select case
        when m.spend_limit_microusd is not null and m.spend_since >= n.began then m.spend_microusd
        when m.spend_limit_microusd is not null then 0
        else coalesce((select sum(r.raw_cost_microusd + r.markup_microusd) from usage_rollups r
            where r.account_id = ${teamId} and r.hour >= n.began and r.key_id in (select id from keys)), 0)
          + coalesce((select sum(c.hold_microusd) from calls c
            where c.account_id = ${teamId} and c.created_at >= n.began and c.key_id in (select id from keys)), 0)
        end as amount,
        case when m.spend_limit_microusd is not null and m.spend_since >= n.began then m.spend_since else n.began end as since
      from memberships m, month n where m.account_id = ${teamId} and m.user_id = ${userId}
    )
    update memberships m set
      spend_limit_microusd = ${limit}::bigint,
      spend_microusd = s.amount,
      spend_since = s.since,
      spend_ceiling_microusd = greatest(${limit}::bigint, s.amount)
    from spent s where m.account_id = ${teamId} and m.user_id = ${userId}`);
}

const limitRow = defineRow({ user_id: text(), spend_limit: bigint(), spent: bigint() });
export type MemberLimitRow = RowOf<typeof limitRow>;

/** The monthly limits of a team's members, with what is spent or held of each this month. */
export async function listMemberLimits(db: Executor, teamId: string): Promise<MemberLimitRow[]> {
  return await limitRow.read(
    db.execute(sql`
      select m.user_id, m.spend_limit_microusd as spend_limit,
        spend_in_period(m.spend_microusd, m.spend_since, 'month', now()) as spent
      from memberships m where m.account_id = ${teamId} and m.spend_limit_microusd is not null`),
  );
}
