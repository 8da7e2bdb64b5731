import { type SQL, sql } from 'drizzle-orm';
import type { Executor } from '@/db/client';

interface GlanceSum {
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
  const since = (from: Date) => sql`filter (where hour >= ${from.toISOString()}::timestamptz)`;
  const sums = (name: string, from: Date): SQL => sql`
    coalesce(sum(calls) ${since(from)}, 0)::int as ${sql.identifier(`${name}_calls`)},
    coalesce(sum(failed) ${since(from)}, 0)::int as ${sql.identifier(`${name}_failed`)},
    coalesce(sum(raw_cost_microusd + markup_microusd) ${since(from)}, 0)::bigint as ${sql.identifier(`${name}_cost`)}`;
  const [row] = await db.execute<Record<string, unknown>>(sql`
    select ${sums('day', day)}, ${sums('week', week)}, ${sums('month', month)}
    from usage_rollups where account_id = ${accountId} and hour >= ${month.toISOString()}::timestamptz`);
  const read = (name: string): GlanceSum => ({
    calls: Number(row?.[`${name}_calls`]),
    failed: Number(row?.[`${name}_failed`]),
    cost: BigInt(String(row?.[`${name}_cost`])),
  });
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
