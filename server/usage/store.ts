import { type SQL, sql } from 'drizzle-orm';
import type { Executor } from '@/db/client';

interface Scope {
  accountId: string;
  keyId: string | undefined;
}

function within(scope: Scope, from: Date | null): SQL {
  return sql`account_id = ${scope.accountId}
    ${scope.keyId === undefined ? sql`` : sql`and key_id = ${scope.keyId}`}
    ${from === null ? sql`` : sql`and hour >= ${from.toISOString()}::timestamptz`}`;
}

export interface ToolSum extends Record<string, unknown> {
  tool: string;
  calls: number;
  failed: number;
  byok_calls: number;
  raw: bigint;
  markup: bigint;
  latency_sum: bigint;
}

export async function sumByTool(db: Executor, scope: Scope, from: Date | null): Promise<ToolSum[]> {
  return await db.execute<ToolSum>(sql`
    select tool, sum(calls)::int as calls, sum(failed)::int as failed, sum(byok_calls)::int as byok_calls,
      sum(raw_cost_microusd)::bigint as raw, sum(markup_microusd)::bigint as markup,
      sum(latency_ms_sum)::bigint as latency_sum
    from usage_rollups where ${within(scope, from)}
    group by tool order by sum(raw_cost_microusd + markup_microusd) desc, sum(calls) desc, tool`);
}

export interface KeySum extends Record<string, unknown> {
  key_id: string;
  name: string | null;
  calls: number;
  cost: bigint;
}

export async function sumByKey(db: Executor, scope: Scope, from: Date | null): Promise<KeySum[]> {
  return await db.execute<KeySum>(sql`
    select r.key_id, k.name, r.calls, r.cost from (
      select key_id, sum(calls)::int as calls, sum(raw_cost_microusd + markup_microusd)::bigint as cost
      from usage_rollups where ${within(scope, from)} group by key_id
    ) r left join api_keys k on k.id = r.key_id
    order by r.cost desc, r.calls desc, r.key_id`);
}

export interface TimeSum extends Record<string, unknown> {
  at: number;
  calls: number;
  cost: bigint;
}

/** `at` is milliseconds since the epoch: the first instant of the hour or day, UTC. */
export async function sumByTime(
  db: Executor,
  scope: Scope,
  from: Date | null,
  step: 'hour' | 'day',
): Promise<TimeSum[]> {
  return await db.execute<TimeSum>(sql`
    select (extract(epoch from bucket) * 1000)::float8 as at, calls, cost from (
      select date_trunc(${step}, hour, 'UTC') as bucket, sum(calls)::int as calls,
        sum(raw_cost_microusd + markup_microusd)::bigint as cost
      from usage_rollups where ${within(scope, from)} group by 1
    ) t order by bucket`);
}

export interface HistoryRow extends Record<string, unknown> {
  id: string;
  key_id: string;
  key_name: string | null;
  billing: string;
  tool: string;
  skill: string;
  status: 'success' | 'error';
  raw: bigint;
  markup: bigint;
  byok: boolean;
  latency_ms: number;
  error_code: string | null;
  job_id: string | null;
  created_ms: number;
}

/** Calls that ended, newest first, before the id where one is given. */
export async function listRecords(
  db: Executor,
  scope: Scope,
  before: string | undefined,
  limit: number,
): Promise<HistoryRow[]> {
  return await db.execute<HistoryRow>(sql`
    select u.id, u.key_id, k.name as key_name, u.billing, u.tool, u.skill, u.status, u.raw_cost_microusd as raw,
      u.markup_microusd as markup, u.byok, u.latency_ms, u.error_code, u.job_id,
      (extract(epoch from u.created_at) * 1000)::float8 as created_ms
    from usage_records u left join api_keys k on k.id = u.key_id
    where u.account_id = ${scope.accountId}
      ${scope.keyId === undefined ? sql`` : sql`and u.key_id = ${scope.keyId}`}
      ${before === undefined ? sql`` : sql`and u.id < ${before}`}
    order by u.id desc limit ${limit}`);
}
