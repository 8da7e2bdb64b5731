import { sql } from 'drizzle-orm';
import type { Executor } from '@/db/client';
import { bigint, defineRow, float, integer, type RowOf, text, timestamptz } from '@/db/rows';
import { NOT_SEEDED } from '../../catalog/tools/not-seeded';
import { usageBetween } from '../../usage/days-store';
import type { ToolPeriod } from './schema';

/** How many calls latencies are computed from: a random sample of the table's pages. */
const SAMPLE = 50_000;

const SINCE = {
  '1h': sql`now() - interval '1 hour'`,
  '24h': sql`now() - interval '24 hours'`,
  '30d': sql`now() - interval '30 days'`,
} as const;

/** Calls that failed because of the tool, not because of the input or the caller's provider key. */
const OWN_FAILURE = sql`(status = 'error' and error_code = 'HANDLER_ERROR' and not byok)`;

const countRow = defineRow({
  tool: text(),
  calls: integer(),
  valid: integer(),
  failed: integer(),
  revenue: bigint(),
});
export type CountRow = RowOf<typeof countRow>;

const HOUR_MS = 3_600_000;
const HOURS = { '1h': 1, '24h': 24, '30d': 720 } as const;

/**
 * From the roll-ups, in whole hours: `failed` are the tools' own failures among the `valid` calls,
 * as in public success rates.
 */
export async function countTools(db: Executor, period: ToolPeriod): Promise<CountRow[]> {
  const from = new Date((Math.floor(Date.now() / HOUR_MS) - HOURS[period]) * HOUR_MS);
  return await countRow.read(
    db.execute(sql`
      select tool, sum(calls)::int as calls, sum(calls - refused)::int as valid, sum(failed - refused)::int as failed,
        sum(raw_cost_microusd + markup_microusd)::bigint as revenue
      from ${usageBetween(NOT_SEEDED, from, null)} r group by tool`),
  );
}

const timeRow = defineRow({ tool: text(), p50: integer(), p99: integer() });
export type TimeRow = RowOf<typeof timeRow>;

/** Latencies of successful calls. */
export async function measureLatencies(db: Executor, period: ToolPeriod): Promise<TimeRow[]> {
  const percent = await samplePercent(db);
  return await timeRow.read(
    db.execute(sql`
      select tool, percentile_disc(0.5) within group (order by latency_ms)::int as p50,
        percentile_disc(0.99) within group (order by latency_ms)::int as p99
      from usage_records tablesample system (${percent}::real)
      where status = 'success' and created_at > ${SINCE[period]} and ${NOT_SEEDED} group by tool`),
  );
}

const sizeRow = defineRow({ tuples: float().nullable() });

/**
 * For the months that are read; PostgreSQL has no row estimate for the partitioned table itself.
 */
async function samplePercent(db: Executor): Promise<number> {
  const [size] = await sizeRow.read(
    db.execute(sql`
      select sum(greatest(c.reltuples, 0))::float8 as tuples
      from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = 'usage_records'::regclass
        and c.relname >= to_char((now() - interval '30 days') at time zone 'UTC', '"usage_records_"YYYY_MM')`),
  );
  return Math.min(100, (SAMPLE * 100) / Math.max(1, size?.tuples ?? 1));
}

const lastErrorRow = defineRow({ tool: text(), at: timestamptz() });

/** The time of each tool's last own failure within 30 days. */
export async function listLastErrors(db: Executor): Promise<{ tool: string; at: string }[]> {
  return await lastErrorRow.read(
    db.execute(sql`
      select tool, max(finished_at) as at from usage_records
      where ${OWN_FAILURE} and created_at > now() - interval '30 days' and ${NOT_SEEDED} group by tool`),
  );
}

const skillRow = defineRow({
  skill: text(),
  calls: integer(),
  valid: integer(),
  failed: integer(),
  revenue: bigint(),
  p50: integer().nullable(),
  p99: integer().nullable(),
  last_error_at: timestamptz().nullable(),
});
export type SkillRow = RowOf<typeof skillRow>;

/** The same per skill, from the sample, with counts scaled up. */
export async function measureSkills(db: Executor, tool: string, period: ToolPeriod): Promise<SkillRow[]> {
  const percent = await samplePercent(db);
  return await skillRow.read(
    db.execute(sql`
      select skill, round(count(*) * 100 / ${percent}::float8)::int as calls,
        round(count(*) filter (where status = 'success' or ${OWN_FAILURE}) * 100 / ${percent}::float8)::int as valid,
        round(count(*) filter (where ${OWN_FAILURE}) * 100 / ${percent}::float8)::int as failed,
        (coalesce(sum(raw_cost_microusd + markup_microusd), 0) * 100 / ${percent}::float8)::bigint as revenue,
        percentile_disc(0.5) within group (order by latency_ms) filter (where status = 'success')::int as p50,
        percentile_disc(0.99) within group (order by latency_ms) filter (where status = 'success')::int as p99,
        max(finished_at) filter (where ${OWN_FAILURE}) as last_error_at
      from usage_records tablesample system (${percent}::real)
      where tool = ${tool} and created_at > ${SINCE[period]} and ${NOT_SEEDED} group by skill`),
  );
}

const errorRow = defineRow({ skill: text(), code: text(), count: integer(), last_at: timestamptz() });

/** Failed calls of a tool by skill and code, including those with invalid input. */
export async function countErrors(db: Executor, tool: string, period: ToolPeriod) {
  return await errorRow.read(
    db.execute(sql`
      select skill, coalesce(error_code, 'UNKNOWN') as code, count(*)::int as count, max(finished_at) as last_at
      from usage_records where status = 'error' and tool = ${tool} and created_at > ${SINCE[period]} and ${NOT_SEEDED}
      group by 1, 2 order by count desc limit 50`),
  );
}

const switchRow = defineRow({ tool: text(), reason: text() });

export async function listSwitched(db: Executor): Promise<{ tool: string; reason: string }[]> {
  return await switchRow.read(db.execute(sql`select tool, reason from tool_switches`));
}
