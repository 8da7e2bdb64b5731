import { sql } from 'drizzle-orm';
import type { Executor } from '@/db/client';
import { NOT_SEEDED } from '../../catalog/tools/not-seeded';
import type { Microusd } from '../../kit/money';
import type { ToolPeriod } from './schema';

/** How many calls latencies are computed from: a random sample of the table's pages. */
const SAMPLE = 50_000;

const SINCE = {
  '1h': sql`now() - interval '1 hour'`,
  '24h': sql`now() - interval '24 hours'`,
  '30d': sql`now() - interval '30 days'`,
} as const;

/** Calls that failed because of the tool, not because of the input or the caller's provider key. */
const OWN_FAILURE = sql`status = 'error' and error_code = 'HANDLER_ERROR' and not byok`;

export interface CountRow extends Record<string, unknown> {
  tool: string;
  calls: number;
  failed: number;
  revenue: Microusd;
}

/** From the roll-ups, in whole hours; `failed` counts only the tools' own failures. */
export async function countTools(db: Executor, period: ToolPeriod): Promise<CountRow[]> {
  return await db.execute<CountRow>(sql`
    select tool, sum(calls)::int as calls, sum(failed - refused)::int as failed,
      sum(raw_cost_microusd + markup_microusd)::bigint as revenue
    from usage_rollups where hour >= date_trunc('hour', ${SINCE[period]}) and ${NOT_SEEDED} group by tool`);
}

export interface TimeRow extends Record<string, unknown> {
  tool: string;
  p50: number;
  p99: number;
}

/** Latencies of successful calls. */
export async function measureLatencies(db: Executor, period: ToolPeriod): Promise<TimeRow[]> {
  const percent = await samplePercent(db);
  return await db.execute<TimeRow>(sql`
    select tool, percentile_disc(0.5) within group (order by latency_ms)::int as p50,
      percentile_disc(0.99) within group (order by latency_ms)::int as p99
    from usage_records tablesample system (${percent}::real)
    where status = 'success' and created_at > ${SINCE[period]} and ${NOT_SEEDED} group by tool`);
}

/**
 * For the months that are read; PostgreSQL has no row estimate for the partitioned table itself.
 */
async function samplePercent(db: Executor): Promise<number> {
  const [size] = await db.execute<{ tuples: number }>(sql`
    select sum(greatest(c.reltuples, 0))::float8 as tuples
    from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = 'usage_records'::regclass
      and c.relname >= to_char((now() - interval '30 days') at time zone 'UTC', '"usage_records_"YYYY_MM')`);
  return Math.min(100, (SAMPLE * 100) / Math.max(1, size?.tuples ?? 1));
}

/** The time of each tool's last own failure within 30 days. */
export async function listLastErrors(db: Executor): Promise<{ tool: string; at: string }[]> {
  return await db.execute<{ tool: string; at: string }>(sql`
    select tool, max(finished_at) as at from usage_records
    where ${OWN_FAILURE} and created_at > now() - interval '30 days' and ${NOT_SEEDED} group by tool`);
}

export interface SkillRow extends Record<string, unknown> {
  skill: string;
  calls: number;
  failed: number;
  revenue: Microusd;
  p50: number | null;
  p99: number | null;
  last_error_at: string | null;
}

/** The same per skill, from the sample, with counts scaled up. */
export async function measureSkills(db: Executor, tool: string, period: ToolPeriod): Promise<SkillRow[]> {
  const percent = await samplePercent(db);
  return await db.execute<SkillRow>(sql`
    select skill, round(count(*) * 100 / ${percent}::float8)::int as calls,
      round(count(*) filter (where ${OWN_FAILURE}) * 100 / ${percent}::float8)::int as failed,
      (coalesce(sum(raw_cost_microusd + markup_microusd), 0) * 100 / ${percent}::float8)::bigint as revenue,
      percentile_disc(0.5) within group (order by latency_ms) filter (where status = 'success')::int as p50,
      percentile_disc(0.99) within group (order by latency_ms) filter (where status = 'success')::int as p99,
      max(finished_at) filter (where ${OWN_FAILURE}) as last_error_at
    from usage_records tablesample system (${percent}::real)
    where tool = ${tool} and created_at > ${SINCE[period]} and ${NOT_SEEDED} group by skill`);
}

/** Failed calls of a tool by skill and code, including those with invalid input. */
export async function countErrors(db: Executor, tool: string, period: ToolPeriod) {
  return await db.execute<{ skill: string; code: string; count: number; last_at: string }>(sql`
    select skill, coalesce(error_code, 'UNKNOWN') as code, count(*)::int as count, max(finished_at) as last_at
    from usage_records where status = 'error' and tool = ${tool} and created_at > ${SINCE[period]} and ${NOT_SEEDED}
    group by 1, 2 order by count desc limit 50`);
}

export async function listSwitched(db: Executor): Promise<{ tool: string; reason: string }[]> {
  return await db.execute<{ tool: string; reason: string }>(sql`select tool, reason from tool_switches`);
}
