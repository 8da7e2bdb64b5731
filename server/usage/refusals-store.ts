import { type SQL, sql } from 'drizzle-orm';
import type { Executor } from '@/db/client';
import { defineRow, float, integer, type RowOf, text } from '@/db/rows';
import { MAX_LISTED_REFUSALS } from './limits';
import type { Span, Unit } from './period';
import { BUCKET_MS, type ReportFilter, selectMemberKeys, selectTaggedKeys, toBucket } from './report-store';

/**
 * Refused calls with a code and limit, of these in one time bucket (milliseconds) or of a key, of a
 * tool, of a key, or all: other columns are null.
 */
const refusalRow = defineRow({
  code: text().nullable(),
  limit_name: text().nullable(),
  tool: text().nullable(),
  key_id: text().nullable(),
  at: float().nullable(),
  refused: float(),
  keys: integer(),
  /** The only tool of these calls, empty for an unknown one; null if they are of several. */
  only_tool: text().nullable(),
  first_ms: float(),
  last_ms: float(),
});
export type RefusalRow = RowOf<typeof refusalRow>;

/** Whether the refusals `r` pass a filter. */
export function buildRefusalCondition({
  accountIds,
  keyId,
  tool,
  member,
  tag,
  errorCode,
}: ReportFilter): SQL {
  return sql`r.account_id = any(${sql.param([...accountIds])}::text[])
    ${keyId === undefined ? sql`` : sql`and r.key_id = ${keyId}`}
    ${tool === undefined ? sql`` : sql`and r.tool = ${tool}`}
    ${errorCode === undefined ? sql`` : sql`and r.code = ${errorCode}`}
    ${member === undefined ? sql`` : sql`and r.key_id in ${selectMemberKeys(member)}`}
    ${tag === undefined ? sql`` : sql`and r.key_id in ${selectTaggedKeys(tag)}`}`;
}

function isWithin(time: SQL, { from, to }: Span): SQL {
  return sql`${time} >= ${from.toISOString()}::timestamptz and ${time} < ${to.toISOString()}::timestamptz`;
}

/** Counts refused calls by code and limit, these over time and by key, by tool, by key, and all. */
export async function countRefusals(
  db: Executor,
  filter: ReportFilter,
  span: Span,
  unit: Unit,
): Promise<RefusalRow[]> {
  return await refusalRow.read(
    db.execute(sql`
      with cells as materialized (
        select r.code, r.limit_name, r.tool, r.key_id, ${toBucket(sql`r.minute`, unit)} as bucket,
          sum(r.refused) as refused, min(r.minute) as first_at, max(r.last_at) as last_at
        from refusal_minutes r where ${buildRefusalCondition(filter)} and ${isWithin(sql`r.minute`, span)}
        group by 1, 2, 3, 4, 5
      )
      select code, limit_name, tool, key_id, ${BUCKET_MS} as at, sum(refused)::float8 as refused,
        count(distinct nullif(key_id, ''))::int as keys,
        case when min(cells.tool) = max(cells.tool) then min(cells.tool) end as only_tool,
        (extract(epoch from min(first_at)) * 1000)::float8 as first_ms,
        (extract(epoch from max(last_at)) * 1000)::float8 as last_ms
      from cells
      group by grouping sets ((code, limit_name), (code, limit_name, bucket), (key_id, code, limit_name), (tool), (key_id), ())
      having sum(refused) > 0`),
  );
}

const describedRow = defineRow({
  id: text(),
  account_id: text(),
  key_id: text(),
  at_ms: float(),
  request_id: text(),
  client_address: text().nullable(),
  tool: text(),
  skill: text(),
  code: text(),
  message: text(),
});

/** Lists the last refused calls, or those of a request, newest first. */
export async function listRefusals(db: Executor, filter: ReportFilter, span: Span) {
  return await describedRow.read(
    db.execute(sql`
      select r.id, r.account_id, r.key_id, (extract(epoch from r.at) * 1000)::float8 as at_ms, r.request_id,
        r.client_address, r.tool, r.skill, r.code, r.message
      from refusals r where ${buildRefusalCondition(filter)} and ${isWithin(sql`r.at`, span)}
        ${filter.requestId === undefined ? sql`` : sql`and r.request_id = ${filter.requestId}`}
      order by r.id desc limit ${MAX_LISTED_REFUSALS}`),
  );
}

const minuteRow = defineRow({
  at_ms: float(),
  key_id: text(),
  tool: text(),
  code: text(),
  limit_name: text(),
  refused: float(),
  last_ms: float(),
});
export type RefusalMinuteRow = RowOf<typeof minuteRow>;

/** Lists refused calls as they are counted, a row per minute, key, code and tool, newest first. */
export async function listRefusalMinutes(
  db: Executor,
  filter: ReportFilter,
  span: Span,
): Promise<RefusalMinuteRow[]> {
  return await minuteRow.read(
    db.execute(sql`
      select (extract(epoch from r.minute) * 1000)::float8 as at_ms, r.key_id, r.tool, r.code, r.limit_name,
        r.refused::float8 as refused, (extract(epoch from r.last_at) * 1000)::float8 as last_ms
      from refusal_minutes r where ${buildRefusalCondition(filter)} and ${isWithin(sql`r.minute`, span)}
      order by r.minute desc, r.key_id, r.code, r.limit_name, r.tool`),
  );
}
