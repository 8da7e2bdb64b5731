import { sql } from 'drizzle-orm';
import type { Executor } from '@/db/client';
import { usageBetween } from './days-store';

interface Scope {
  accountId: string;
  keyId: string | undefined;
}

/** A row of a summary: one tool, one key, or one time bucket (milliseconds since the epoch). */
export interface UsageSum extends Record<string, unknown> {
  tool: string | null;
  key_id: string | null;
  /** Name of the key; null if it was deleted. */
  name: string | null;
  at: number | null;
  calls: number;
  failed: number;
  byok_calls: number;
  raw: bigint;
  markup: bigint;
  latency_sum: bigint;
}

/** Sums by tool, by key and by hour or day (UTC), in one pass. */
export async function sumUsage(
  db: Pick<Executor, 'execute'>,
  { accountId, keyId }: Scope,
  from: Date | null,
  step: 'hour' | 'day',
): Promise<UsageSum[]> {
  const whose = sql`account_id = ${accountId} ${keyId === undefined ? sql`` : sql`and key_id = ${keyId}`}`;
  const source =
    step === 'day'
      ? usageBetween(whose, from, null)
      : sql`(select * from usage_rollups where ${whose} ${from === null ? sql`` : sql`and hour >= ${from.toISOString()}::timestamptz`}
          and hour < 'infinity')`;
  return await db.execute<UsageSum>(sql`
    select s.*, k.name from (
      select tool, key_id, (extract(epoch from bucket) * 1000)::float8 as at, sum(calls)::int as calls,
        sum(failed)::int as failed, sum(byok_calls)::int as byok_calls, sum(raw_cost_microusd)::bigint as raw,
        sum(markup_microusd)::bigint as markup, sum(latency_ms_sum)::bigint as latency_sum
      from (select *, date_bin(${step === 'day' ? '1 day' : '1 hour'}::interval, hour, '2000-01-01T00:00:00Z') as bucket
        from ${source} u) b
      group by grouping sets ((tool), (key_id), (bucket))
    ) s left join api_keys k on k.id = s.key_id`);
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

/** Lists ended calls, newest first, before an id if given. */
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
