import { type SQL, sql } from 'drizzle-orm';
import type { Database, Executor } from '@/db/client';
import { bigint, defineRow, float, integer, type RowOf, text } from '@/db/rows';
import { NOT_SEEDED } from '../../../catalog/tools/not-seeded';
import { usageBetween } from '../../../usage/days-store';
import { TOP } from './limits';
import type { InsightOrder } from './schema';

interface Span {
  from: Date;
  to: Date;
}

const sumColumns = { calls: integer(), failed: integer(), raw: bigint(), markup: bigint() };
const sumRow = defineRow(sumColumns);
export type SumRow = RowOf<typeof sumRow>;

const insightRow = defineRow({
  ...sumColumns,
  kind: text<'time' | 'tool' | 'account'>(),
  /** The tool or the account. */
  subject: text().nullable(),
  /** The time bucket, in milliseconds. */
  at: float().nullable(),
});
export type InsightRow = RowOf<typeof insightRow>;

const SUMS = sql.raw(
  'sum(calls)::int as calls, sum(failed)::int as failed, sum(raw)::bigint as raw, sum(markup)::bigint as markup',
);
const FROM_ROLLUPS = sql.raw(
  'sum(calls) as calls, sum(failed - refused) as failed, sum(raw_cost_microusd) as raw, sum(markup_microusd) as markup',
);
const ORDERS = {
  revenue: sql.raw('sum(raw + markup)'),
  calls: sql.raw('sum(calls)'),
  failures: sql.raw('sum(failed)'),
} satisfies Record<InsightOrder, SQL>;
const BUCKETS = { hour: sql.raw('hour'), day: sql.raw("date_bin('1 day', hour, '2000-01-03T00:00:00Z')") };

function source({ from, to }: Span, unit: 'hour' | 'day'): SQL {
  if (unit === 'day') return usageBetween(NOT_SEEDED, from, to);
  return sql`(select * from usage_rollups where ${NOT_SEEDED}
    and hour >= ${from.toISOString()}::timestamptz and hour < ${to.toISOString()}::timestamptz)`;
}

/** All accounts together in one pass: by time, and the first tools and accounts of an order. */
export async function sumInsight(
  db: Database,
  span: Span,
  unit: 'hour' | 'day',
  by: InsightOrder,
): Promise<InsightRow[]> {
  const top = sql`having ${ORDERS[by]} > 0 order by ${ORDERS[by]} desc, 2 limit ${TOP}`;
  const summing = sql`
    with cells as materialized (
      select bucket, tool, account_id, ${FROM_ROLLUPS}
      from (select *, ${BUCKETS[unit]} as bucket from ${source(span, unit)} u) r group by bucket, tool, account_id
    )
    select 'time' as kind, null::text as subject, (extract(epoch from bucket) * 1000)::float8 as at, ${SUMS}
    from cells group by bucket
    union all (select 'tool', tool, null, ${SUMS} from cells group by tool ${top})
    union all (select 'account', account_id, null, ${SUMS} from cells group by account_id ${top})`;
  return await db.transaction(
    async (tx) => {
      // As for the reports of accounts: sorting on disk would take three times as long.
      await tx.execute(sql`select set_config('work_mem', '32MB', true), set_config('enable_sort', 'off', true),
        set_config('max_parallel_workers_per_gather', '0', true)`);
      return await insightRow.read(tx.execute(summing));
    },
    { accessMode: 'read only' },
  );
}

export async function sumSpan(db: Executor, span: Span): Promise<SumRow> {
  const [row] = await sumRow.read(
    db.execute(sql`
      select coalesce(sum(calls), 0)::int as calls, coalesce(sum(failed - refused), 0)::int as failed,
        coalesce(sum(raw_cost_microusd), 0)::bigint as raw, coalesce(sum(markup_microusd), 0)::bigint as markup
      from ${source(span, 'day')} u`),
  );
  return row ?? { calls: 0, failed: 0, raw: 0n, markup: 0n };
}

const signUpRow = defineRow({ at: float(), people: integer() });

/** People who signed up, by time bucket in milliseconds. */
export async function countSignUps(db: Executor, { from, to }: Span, unit: 'hour' | 'day') {
  const bucket =
    unit === 'hour' ? sql`date_trunc('hour', created_at, 'UTC')` : sql`date_trunc('day', created_at, 'UTC')`;
  return await signUpRow.read(
    db.execute(sql`
      select (extract(epoch from ${bucket}) * 1000)::float8 as at, count(*)::int as people from accounts
      where type = 'personal' and created_at >= ${from.toISOString()}::timestamptz
        and created_at < ${to.toISOString()}::timestamptz group by 1`),
  );
}

const nameRow = defineRow({ id: text(), type: text(), name: text(), email: text().nullable() });

/** Names of accounts; the email address is null for a deleted person, whose address is an id. */
export async function listAccountNames(db: Executor, ids: readonly string[]) {
  return await nameRow.read(
    db.execute(sql`
      select a.id, a.type, a.name, u.email from accounts a
        left join users u on u.id = a.owner_user_id and u.email not like '%@deleted.invalid'
      where a.id = any(${sql.param([...ids])}::text[])`),
  );
}
