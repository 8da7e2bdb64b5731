import { type SQL, sql } from 'drizzle-orm';
import type { Database, Executor } from '@/db/client';
import { bigint, defineRow, float, integer, type RowOf, text } from '@/db/rows';
import { usageBetween } from './days-store';
import { MAX_REPORT_KEYS } from './limits';
import type { Span, Unit } from './period';

/** Which calls to sum. The accounts are those charged; the caller has checked access. */
export interface ReportFilter {
  accountIds: readonly string[];
  keyId?: string | undefined;
  tool?: string | undefined;
  status?: 'success' | 'error' | undefined;
  member?: string | undefined;
  tag?: string | undefined;
  /** The following apply to lists of calls only: sums are not kept by them. */
  requestId?: string | undefined;
  callId?: string | undefined;
  errorCode?: string | undefined;
}

/** Keys in the personal account of a user. */
export function selectMemberKeys(member: string): SQL {
  return sql`(select k.id from api_keys k join accounts h on h.id = k.account_id where h.owner_user_id = ${member} and h.type = 'personal')`;
}

/** Keys that have a tag now, in any account: the calls are filtered by account as well. */
export function selectTaggedKeys(tag: string): SQL {
  return sql`(select k.id from api_keys k where k.tags @> array[${tag}]::text[])`;
}

function buildCondition({ accountIds, keyId, tool, member, tag }: ReportFilter): SQL {
  return sql`account_id = any(${sql.param([...accountIds])}::text[])
    ${keyId === undefined ? sql`` : sql`and key_id = ${keyId}`}
    ${tool === undefined ? sql`` : sql`and tool = ${tool}`}
    ${member === undefined ? sql`` : sql`and key_id in ${selectMemberKeys(member)}`}
    ${tag === undefined ? sql`` : sql`and key_id in ${selectTaggedKeys(tag)}`}`;
}

/** Reads daily sums unless the unit is hours. */
function chooseSource(filter: ReportFilter, span: Span, unit: Unit): SQL {
  const whose = buildCondition(filter);
  if (unit !== 'hour') return usageBetween(whose, span.from, span.to);
  return sql`(select * from usage_rollups where ${whose}
    and hour >= ${span.from.toISOString()}::timestamptz and hour < ${span.to.toISOString()}::timestamptz)`;
}

/** Failed calls cost nothing, so all money belongs to successful ones. */
const COUNTED = { success: sql`calls - failed`, error: sql`failed`, any: sql`calls` } as const;

function sums(status: ReportFilter['status']): SQL {
  const money = status === 'error' ? sql`0` : sql`1`;
  return sql`sum(${COUNTED[status ?? 'any']})::int as calls,
    ${status === 'success' ? sql`0` : sql`sum(failed)::int`} as failed,
    (sum(raw_cost_microusd) * ${money})::bigint as raw, (sum(markup_microusd) * ${money})::bigint as markup,
    sum(byok_calls)::int as byok_calls, sum(latency_ms_sum)::bigint as latency_sum`;
}

const sumColumns = {
  calls: integer(),
  failed: integer(),
  raw: bigint(),
  markup: bigint(),
  byok_calls: integer(),
  latency_sum: bigint(),
};
const sumRow = defineRow(sumColumns);
export type SumRow = RowOf<typeof sumRow>;

/**
 * A row of a report: one tool in one time bucket (milliseconds), one key, one account, or the calls
 * of one key in one time bucket.
 */
const reportRow = defineRow({
  ...sumColumns,
  tool: text().nullable(),
  at: float().nullable(),
  key_id: text().nullable(),
  account_id: text().nullable(),
});
export type ReportRow = RowOf<typeof reportRow>;

/**
 * Without these settings the planner sorts the rollups on disk in two processes: 300 ms instead of
 * 100 for 170,000 rows.
 */
const USE_HASH_AGGREGATE = sql`select set_config('work_mem', '32MB', true), set_config('enable_sort', 'off', true),
  set_config('max_parallel_workers_per_gather', '0', true)`;

/**
 * The start of the bucket of a time. Weeks start on Monday. date_bin costs a third of date_trunc,
 * but cannot express months.
 */
export function toBucket(time: SQL, unit: Unit): SQL {
  if (unit === 'month') return sql`date_trunc('month', ${time}, 'UTC')`;
  const size = { hour: '1 hour', day: '1 day', week: '7 days' }[unit];
  return sql`date_bin(${size}::interval, ${time}, '2000-01-03T00:00:00Z')`;
}

export const BUCKET_MS = sql`(extract(epoch from bucket) * 1000)::float8`;
const CELL_SUMS = sql`sum(calls)::int as calls, sum(failed)::int as failed, sum(raw)::bigint as raw,
  sum(markup)::bigint as markup, sum(byok_calls)::int as byok_calls, sum(latency_sum)::bigint as latency_sum`;

/** What a report is also summed by over time. */
interface Groupings {
  byAccount: boolean;
  /** Not only the leading keys: their sums are added up by member. */
  everyKey: boolean;
}

/**
 * Sums by tool and time, by key, by account, and by leading key and time in one pass over the
 * rollups, which dominates page load. Aggregating first to one row per bucket, tool, key and
 * account takes a third of the time, and the keys by bucket next makes their trends free.
 */
export async function sumReport(
  db: Database,
  filter: ReportFilter,
  span: Span,
  unit: Unit,
  { byAccount, everyKey }: Groupings,
): Promise<ReportRow[]> {
  const groups = byAccount
    ? sql`(tool, bucket), (account_id), (account_id, bucket)`
    : sql`(tool, bucket), (account_id)`;
  const summing = sql`
    with cells as materialized (
      select bucket, tool, key_id, account_id, ${sums(filter.status)}
      from (select *, ${toBucket(sql`hour`, unit)} as bucket from ${chooseSource(filter, span, unit)} u) r
      group by bucket, tool, key_id, account_id
    ), by_key as materialized (
      select key_id, bucket, ${CELL_SUMS} from cells group by key_id, bucket
    )
    select tool, null::text as key_id, account_id, ${BUCKET_MS} as at, ${CELL_SUMS}
    from cells group by grouping sets (${groups})
    union all
    select null, key_id, null, null, ${CELL_SUMS} from by_key group by key_id
    union all
    select null, key_id, null, ${BUCKET_MS}, calls, failed, raw, markup, byok_calls, latency_sum
    from by_key where key_id in (
      select key_id from by_key group by key_id
      order by sum(raw) + sum(markup) desc, sum(calls) desc, key_id limit ${everyKey ? sql`all` : MAX_REPORT_KEYS}
    )`;
  const rows = await db.transaction(
    async (tx) => {
      await tx.execute(USE_HASH_AGGREGATE);
      return await reportRow.read(tx.execute(summing));
    },
    { accessMode: 'read only' },
  );
  return rows.filter((row) => row.calls > 0);
}

/** Sums a span into one row. */
export async function sumTotals(db: Executor, filter: ReportFilter, span: Span): Promise<SumRow> {
  const [row] = await sumRow.read(
    db.execute(sql`
      select coalesce(calls, 0) as calls, coalesce(failed, 0) as failed, coalesce(raw, 0) as raw,
        coalesce(markup, 0) as markup, coalesce(byok_calls, 0) as byok_calls, coalesce(latency_sum, 0) as latency_sum
      from (select ${sums(filter.status)} from ${chooseSource(filter, span, 'day')} u) t`),
  );
  if (!row) throw new Error('A sum has one row');
  return row;
}

const firstHourRow = defineRow({ ms: float().nullable() });

/** When the usage of the accounts starts; null if there is none. */
export async function findFirstHour(db: Executor, accountIds: readonly string[]): Promise<Date | null> {
  const [row] = await firstHourRow.read(
    db.execute(sql`
      select (extract(epoch from min(f.hour)) * 1000)::float8 as ms
      from unnest(${sql.param([...accountIds])}::text[]) a(id)
        cross join lateral (select hour from usage_rollups where account_id = a.id order by hour limit 1) f`),
  );
  return row?.ms == null ? null : new Date(row.ms);
}

const recordsFromRow = defineRow({ ms: float() });

/** Since when single call records exist; null if none were removed. */
export async function findRecordsFrom(db: Executor): Promise<Date | null> {
  const [row] = await recordsFromRow.read(
    db.execute(sql`
      select (extract(epoch from kept_from) * 1000)::float8 as ms from retention_marks where what = 'usage_records'`),
  );
  return row ? new Date(row.ms) : null;
}

/** Data for the label of a key. */
const keyLabelRow = defineRow({
  id: text(),
  name: text(),
  kind: text<'api' | 'playground' | 'oauth'>(),
  account_id: text(),
  user_id: text().nullable(),
  person_name: text().nullable(),
  person_email: text().nullable(),
});
export type KeyLabelRow = RowOf<typeof keyLabelRow>;

/** Loads keys by id with their owners; that of a team's key is the team. */
export async function listKeyLabels(db: Executor, ids: readonly string[]): Promise<KeyLabelRow[]> {
  return await keyLabelRow.read(
    db.execute(sql`
      select k.id, k.name, k.kind, k.account_id, u.id as user_id,
        case when h.type = 'team' then h.name else u.name end as person_name, u.email as person_email
      from api_keys k join accounts h on h.id = k.account_id
        left join users u on u.id = h.owner_user_id and h.type <> 'team'
      where k.id = any(${sql.param([...ids])}::text[])`),
  );
}

const tagRow = defineRow({ tag: text() });

/** Lists the tags of the keys, by name. */
export async function listTags(db: Executor, keyIds: readonly string[]): Promise<string[]> {
  const rows = await tagRow.read(
    db.execute(sql`
      select distinct t.tag from api_keys k cross join unnest(k.tags) t(tag)
      where k.id = any(${sql.param([...keyIds])}::text[]) order by 1`),
  );
  return rows.map(({ tag }) => tag);
}

const choiceRow = defineRow({ key_id: text(), tool: text() });

/** Lists all keys and tools that an account was charged for. */
export async function listChoices(
  db: Executor,
  accountId: string,
): Promise<{ key_id: string; tool: string }[]> {
  return await choiceRow.read(
    db.execute(sql`
      select key_id, tool from ${usageBetween(sql`account_id = ${accountId}`, null, null)} u group by key_id, tool`),
  );
}

const keySumRow = defineRow({ key_id: text(), calls: integer(), cost: bigint() });

/** Calls and cost of the keys of an account, in the accounts that they may charge. */
export async function sumKeysOf(
  db: Executor,
  { ownerId, accountIds }: { ownerId: string; accountIds: readonly string[] },
  span: Span & { unit: Unit },
): Promise<RowOf<typeof keySumRow>[]> {
  const source = chooseSource({ accountIds }, span, span.unit);
  return await keySumRow.read(
    db.execute(sql`
      select u.key_id, sum(u.calls)::int as calls, sum(u.raw_cost_microusd + u.markup_microusd)::bigint as cost
      from ${source} u join api_keys k on k.id = u.key_id and k.account_id = ${ownerId}
      group by u.key_id order by u.key_id`),
  );
}
