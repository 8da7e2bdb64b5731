import { type SQL, sql } from 'drizzle-orm';
import type { Executor } from '@/db/client';
import { usageBetween } from './days-store';

interface GlanceSum extends Record<string, unknown> {
  calls: number;
  failed: number;
  cost: bigint;
}

/** What an account was charged since each of these, the last of which is the earliest. */
export async function sumGlance(
  db: Executor,
  accountId: string,
  { day, week, month }: Record<'day' | 'week' | 'month', Date>,
): Promise<Record<'day' | 'week' | 'month', GlanceSum>> {
  // The last day is told by the hour, week and month begin with a day: whole days do for them.
  const whose = sql`account_id = ${accountId}`;
  const sums = (name: string, from: Date, source: SQL): SQL => sql`
    select ${name}::text as name, coalesce(sum(calls), 0)::int as calls, coalesce(sum(failed), 0)::int as failed,
      coalesce(sum(raw_cost_microusd + markup_microusd), 0)::bigint as cost
    from ${source} u where hour >= ${from.toISOString()}::timestamptz`;
  const rows = await db.execute<GlanceSum & { name: string }>(sql`
    ${sums('day', day, sql`(select * from usage_rollups where ${whose} and hour >= ${day.toISOString()}::timestamptz)`)}
    union all ${sums('week', week, usageBetween(whose, week, null))}
    union all ${sums('month', month, usageBetween(whose, month, null))}`);
  const read = (wanted: string): GlanceSum => {
    const row = rows.find(({ name }) => name === wanted);
    if (!row) throw new Error('A sum has one row');
    return row;
  };
  return { day: read('day'), week: read('week'), month: read('month') };
}

export interface Steps extends Record<string, unknown> {
  has_key: boolean;
  has_called: boolean;
  has_spent: boolean;
  has_credit: boolean;
  has_played: boolean;
}

/** Which first steps a person has made: keys and playground are their own, calls and money those of the account shown. */
export async function findSteps(db: Executor, personalId: string, accountId: string): Promise<Steps> {
  const [row] = await db.execute<Steps>(sql`
    select
      exists (select 1 from api_keys where account_id = ${personalId} and kind = 'api') as has_key,
      exists (select 1 from usage_rollups where account_id = ${accountId}) as has_called,
      exists (select 1 from ledger_entries where account_id = ${accountId} and kind = 'call')
        or exists (select 1 from usage_rollups where account_id = ${accountId}
          and raw_cost_microusd + markup_microusd > 0) as has_spent,
      exists (select 1 from ledger_entries where account_id = ${accountId} and amount_microusd > 0) as has_credit,
      exists (select 1 from api_keys where account_id = ${personalId} and kind = 'playground'
        and last_used_at is not null) as has_played`);
  if (!row) throw new Error('Steps are one row');
  return row;
}
