import { sql } from 'drizzle-orm';
import type { Executor } from '@/db/client';
import { bigint, defineRow, float, integer, type RowOf, text } from '@/db/rows';
import { usageBetween } from './days-store';
import { selectTaggedKeys } from './report-store';

interface Scope {
  accountId: string;
  keyId: string | undefined;
  tag?: string | undefined;
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
