import { type SQL, sql } from 'drizzle-orm';
import type { Executor } from '@/db/client';
import { bigint, boolean, defineRow, integer, type RowOf } from '@/db/rows';
import { usageBetween } from './days-store';

interface OverviewSum {
  calls: number;
  failed: number;
  cost: bigint;
}

type Since = 'day' | 'week' | 'month';
const overviewRow = defineRow({
  month_failed: integer(),
  month_calls: integer(),
  day_failed: integer(),
  day_calls: integer(),
  week_failed: integer(),
  week_calls: integer(),
  month_cost: bigint(),
  day_cost: bigint(),
  week_cost: bigint(),
});

/** Sums what an account was charged since each of three times; `month` must be the earliest. */
export async function sumUsageOverview(
  db: Executor,
  accountId: string,
  { day, week, month }: Record<Since, Date>,
): Promise<Record<Since, OverviewSum>> {
  // The last 24 hours need hourly rows. Week and month start at a day, so daily sums serve both in
  // one read.
  const whose = sql`account_id = ${accountId}`;
  const sums = (name: Since, which: SQL): SQL => sql`
    coalesce(sum(calls) ${which}, 0)::int as ${sql.raw(`${name}_calls`)},
    coalesce(sum(failed) ${which}, 0)::int as ${sql.raw(`${name}_failed`)},
    coalesce(sum(raw_cost_microusd + markup_microusd) ${which}, 0)::bigint as ${sql.raw(`${name}_cost`)}`;
  const since = (from: Date) => sql`hour >= ${from.toISOString()}::timestamptz`;
  const [row] = await overviewRow.read(
    db.execute(sql`
      select * from
        (select ${sums('day', sql``)} from usage_rollups where ${whose} and ${since(day)}) d,
        (select ${sums('week', sql`filter (where ${since(week)})`)}, ${sums('month', sql``)}
          from ${usageBetween(whose, month, null)} u) m`),
  );
  if (!row) throw new Error('A sum has one row');
  const read = (name: Since): OverviewSum => ({
    calls: row[`${name}_calls`],
    failed: row[`${name}_failed`],
    cost: row[`${name}_cost`],
  });
  return { day: read('day'), week: read('week'), month: read('month') };
}

const stepsRow = defineRow({
  has_key: boolean(),
  has_called: boolean(),
  has_spent: boolean(),
  has_credit: boolean(),
  has_played: boolean(),
});
export type Steps = RowOf<typeof stepsRow>;

/**
 * Which onboarding steps are done. Keys and playground are those of the user; calls and credit
 * those of the shown account.
 */
export async function findSteps(db: Executor, personalId: string, accountId: string): Promise<Steps> {
  const [row] = await stepsRow.read(
    db.execute(sql`
      select
        exists (select 1 from api_keys where account_id = ${personalId} and kind = 'api') as has_key,
        exists (select 1 from usage_rollups where account_id = ${accountId}) as has_called,
        exists (select 1 from ledger_entries where account_id = ${accountId} and kind = 'call')
          or exists (select 1 from usage_rollups where account_id = ${accountId}
            and raw_cost_microusd + markup_microusd > 0) as has_spent,
        exists (select 1 from ledger_entries where account_id = ${accountId} and amount_microusd > 0) as has_credit,
        exists (select 1 from api_keys where account_id = ${personalId} and kind = 'playground'
          and last_used_at is not null) as has_played`),
  );
  if (!row) throw new Error('Steps are one row');
  return row;
}
