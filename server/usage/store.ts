import { sql } from 'drizzle-orm';
import type { Executor } from '@/db/client';
import { bigint, boolean, defineRow, float, integer, type RowOf, text } from '@/db/rows';
import { readStoredRequestId } from '../core/http/call-request-id';
import { usageBetween } from './days-store';
import { selectTaggedKeys } from './report-store';
import { isOfRequest } from './request-condition';

interface Scope {
  accountId: string;
  keyId: string | undefined;
  tag?: string | undefined;
}

/** Which calls of a scope to list. */
interface HistoryScope extends Scope {
  requestId?: string | undefined;
  errorCode?: string | undefined;
}

/** A row of a summary: one tool, one key, or one time bucket (milliseconds since the epoch). */
const usageSumRow = defineRow({
  tool: text().nullable(),
  key_id: text().nullable(),
  /** Name of the key; null if it was deleted. */
  name: text().nullable(),
  at: float().nullable(),
  calls: integer(),
  failed: integer(),
  byok_calls: integer(),
  raw: bigint(),
  markup: bigint(),
  latency_sum: bigint(),
});
export type UsageSum = RowOf<typeof usageSumRow>;

/** Sums by tool, by key and by hour or day (UTC), in one pass. */
export async function sumUsage(
  db: Pick<Executor, 'execute'>,
  { accountId, keyId, tag }: Scope,
  from: Date | null,
  step: 'hour' | 'day',
): Promise<UsageSum[]> {
  const whose = sql`account_id = ${accountId} ${keyId === undefined ? sql`` : sql`and key_id = ${keyId}`}
    ${tag === undefined ? sql`` : sql`and key_id in ${selectTaggedKeys(tag)}`}`;
  const source =
    step === 'day'
      ? usageBetween(whose, from, null)
      : sql`(select * from usage_rollups where ${whose} ${from === null ? sql`` : sql`and hour >= ${from.toISOString()}::timestamptz`}
          and hour < 'infinity')`;
  return await usageSumRow.read(
    db.execute(sql`
      select s.*, k.name from (
        select tool, key_id, (extract(epoch from bucket) * 1000)::float8 as at, sum(calls)::int as calls,
          sum(failed)::int as failed, sum(byok_calls)::int as byok_calls, sum(raw_cost_microusd)::bigint as raw,
          sum(markup_microusd)::bigint as markup, sum(latency_ms_sum)::bigint as latency_sum
        from (select *, date_bin(${step === 'day' ? '1 day' : '1 hour'}::interval, hour, '2000-01-01T00:00:00Z') as bucket
          from ${source} u) b
        group by grouping sets ((tool), (key_id), (bucket))
      ) s left join api_keys k on k.id = s.key_id`),
  );
}

const historyRow = defineRow({
  id: text(),
  key_id: text(),
  key_name: text().nullable(),
  billing: text(),
  tool: text(),
  skill: text(),
  status: text<'success' | 'error'>(),
  raw: bigint(),
  markup: bigint(),
  byok: boolean(),
  latency_ms: integer(),
  error_code: text().nullable(),
  job_id: text().nullable(),
  created_ms: float(),
  request_id: text().nullable(),
  /** Null for calls of other members of a team. */
  error_message: text().nullable(),
});
export type HistoryRow = RowOf<typeof historyRow>;

/** Lists ended calls, newest first, before an id if given. */
export async function listRecords(
  db: Executor,
  scope: HistoryScope,
  before: string | undefined,
  limit: number,
): Promise<HistoryRow[]> {
  const rows = await historyRow.read(
    db.execute(sql`
      select u.id, u.key_id, k.name as key_name,
        coalesce((select a.slug from accounts a where a.id = ${scope.accountId}), u.billing) as billing, u.tool, u.skill, u.status, u.raw_cost_microusd as raw,
        u.markup_microusd as markup, u.byok, u.latency_ms, u.error_code, u.job_id, u.request_id,
        case when k.account_id = ${scope.accountId} then u.error_message end as error_message,
        (extract(epoch from u.created_at) * 1000)::float8 as created_ms
      from usage_records u left join api_keys k on k.id = u.key_id
      where u.account_id = ${scope.accountId}
        ${scope.keyId === undefined ? sql`` : sql`and u.key_id = ${scope.keyId}`}
        ${scope.tag === undefined ? sql`` : sql`and u.key_id in ${selectTaggedKeys(scope.tag)}`}
        ${scope.requestId === undefined ? sql`` : sql`and ${isOfRequest(scope.requestId)}`}
        ${scope.errorCode === undefined ? sql`` : sql`and u.status = 'error' and u.error_code = ${scope.errorCode}`}
        ${before === undefined ? sql`` : sql`and u.id < ${before}`}
      order by u.id desc limit ${limit}`),
  );
  return rows.map((row) => ({ ...row, request_id: readStoredRequestId(row.request_id, row.id) }));
}
