import { sql } from 'drizzle-orm';
import type { Executor } from '@/db/client';
import { defineRow, float, integer, type RowOf, text } from '@/db/rows';
import { isWanted } from './calls-store';
import { MAX_COUNTED_FAILURES, NO_ERROR_CODE } from './limits';
import type { Span, Unit } from './period';
import { BUCKET_MS, type ReportFilter, toBucket } from './report-store';

/**
 * Failed calls of a tool and code, of these in one time bucket (milliseconds), or all of them: what
 * a row does not distinguish is null.
 */
const failureRow = defineRow({
  tool: text().nullable(),
  code: text().nullable(),
  at: float().nullable(),
  calls: integer(),
  keys: integer(),
  first_ms: float(),
  last_ms: float(),
});
export type FailureRow = RowOf<typeof failureRow>;

/** The roll-ups have no codes, so this reads the index of failed calls, newest first, bounded. */
export async function countFailures(
  db: Executor,
  filter: ReportFilter,
  span: Span,
  unit: Unit,
): Promise<FailureRow[]> {
  return await failureRow.read(
    db.execute(sql`
      with cells as materialized (
        select f.tool, f.code, f.key_id, ${toBucket(sql`f.finished_at`, unit)} as bucket, count(*) as calls,
          min(f.finished_at) as first_at, max(f.finished_at) as last_at
        from unnest(${sql.param([...filter.accountIds])}::text[]) a(id) cross join lateral (
          select u.tool, coalesce(u.error_code, ${NO_ERROR_CODE}::text) as code, u.key_id, u.finished_at from usage_records u
          where ${isWanted({ ...filter, status: 'error' }, span)} order by u.id desc limit ${MAX_COUNTED_FAILURES}
        ) f group by 1, 2, 3, 4
      )
      select tool, code, ${BUCKET_MS} as at, sum(calls)::int as calls, count(distinct key_id)::int as keys,
        (extract(epoch from min(first_at)) * 1000)::float8 as first_ms,
        (extract(epoch from max(last_at)) * 1000)::float8 as last_ms
      from cells group by grouping sets ((tool, code), (tool, code, bucket), ())
      having sum(calls) > 0`),
  );
}
