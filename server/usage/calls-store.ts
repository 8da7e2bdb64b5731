import { type SQL, sql } from 'drizzle-orm';
import type { Executor } from '@/db/client';
import { bigint, boolean, defineRow, float, integer, type RowOf, text } from '@/db/rows';
import { readStoredRequestId } from '../core/http/call-request-id';
import { lowestIdAt, readIdTime } from '../kit/ids';
import { NO_ERROR_CODE } from './limits';
import type { Span } from './period';
import { type ReportFilter, selectMemberKeys, selectTaggedKeys } from './report-store';
import { isOfRequest } from './request-condition';

const DAY_MS = 86_400_000;
/** Longest time from the id of a call to its end: older ids cannot have ended in a span. */
const LONGEST_CALL_MS = 8 * DAY_MS;
/** Maximum clock difference: ids use the clock of a process, end times that of the database. */
export const CLOCKS_APART_MS = DAY_MS;

/** Of a call or request, which is found by id in any period, and of the history. */
export const ANY_TIME: Span = { from: new Date(0), to: new Date('2200-01-01T00:00:00Z') };

const callColumns = {
  id: text(),
  account_id: text(),
  key_id: text(),
  /** The slug of the charged account, if it has one. */
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
  finished_ms: float(),
  request_id: text().nullable(),
  client_address: text().nullable(),
  error_message: text().nullable(),
};
const callRow = defineRow(callColumns);
export type CallRow = RowOf<typeof callRow>;

const columns = sql`u.id, u.account_id, u.key_id,
  coalesce((select s.slug from accounts s where s.id = u.account_id), u.billing) as billing, u.tool, u.skill, u.status, u.raw_cost_microusd as raw,
  u.markup_microusd as markup, u.byok, u.latency_ms, u.error_code, u.job_id, u.request_id,
  u.client_address, u.error_message, (extract(epoch from u.created_at) * 1000)::float8 as created_ms,
  (extract(epoch from u.finished_at) * 1000)::float8 as finished_ms`;

/**
 * Whether the call `u` of the account `a` ended within the span and passes the filter. Like the
 * rollups it uses the end time, so lists and sums agree. The bounds on id and creation time only
 * narrow the scan.
 * @param before only calls with a lower id
 */
export function isWanted(filter: ReportFilter, span: Span, before?: string): SQL {
  const { keyId, tool, status, member, tag, errorCode } = filter;
  const { from, to } = filter.callId === undefined && filter.requestId === undefined ? span : ANY_TIME;
  const earliest = new Date(Math.max(0, from.getTime() - LONGEST_CALL_MS));
  const latest = new Date(to.getTime() + CLOCKS_APART_MS);
  const top = before ?? lowestIdAt('call', latest.getTime());
  return sql`u.account_id = a.id and u.id < ${top} and u.id >= ${lowestIdAt('call', earliest.getTime())}
    and u.created_at >= ${earliest.toISOString()}::timestamptz and u.created_at < ${latest.toISOString()}::timestamptz
    and u.finished_at >= ${from.toISOString()}::timestamptz and u.finished_at < ${to.toISOString()}::timestamptz
    ${keyId === undefined ? sql`` : sql`and u.key_id = ${keyId}`}
    ${tool === undefined ? sql`` : sql`and u.tool = ${tool}`}
    ${status === undefined ? sql`` : sql`and u.status = ${status}`}
    ${member === undefined ? sql`` : sql`and u.key_id in ${selectMemberKeys(member)}`}
    ${tag === undefined ? sql`` : sql`and u.key_id in ${selectTaggedKeys(tag)}`}
    ${errorCode === undefined ? sql`` : sql`and u.status = 'error' and ${hasCode(errorCode)}`}
    ${narrowToId(filter)}`;
}

function hasCode(code: string): SQL {
  return code === NO_ERROR_CODE ? sql`u.error_code is null` : sql`u.error_code = ${code}`;
}

/**
 * Lists calls, newest first, below an id if given. The lateral join per account makes the planner
 * read an index in order and stop after one page.
 */
export async function listCalls(
  db: Executor,
  filter: ReportFilter,
  span: Span,
  before: string | undefined,
  limit: number,
): Promise<CallRow[]> {
  const rows = await callRow.read(
    db.execute(sql`
      select u.* from unnest(${sql.param([...filter.accountIds])}::text[]) a(id) cross join lateral (
        select ${columns} from usage_records u where ${isWanted(filter, span, before)} order by u.id desc limit ${limit}
      ) u order by u.id desc limit ${limit}`),
  );
  return rows.map(withRequestId);
}

function withRequestId<Row extends Pick<CallRow, 'id' | 'request_id'>>(row: Row): Row {
  return { ...row, request_id: readStoredRequestId(row.request_id, row.id) };
}

/** A call or the calls of a request, by their index. */
function narrowToId({ callId, requestId }: ReportFilter): SQL {
  return sql`${callId === undefined ? sql`` : sql`and u.id = ${callId}`}
    ${requestId === undefined ? sql`` : sql`and ${isOfRequest(requestId)}`}`;
}

const callDetailRow = defineRow({
  ...callColumns,
  hold: bigint().nullable(),
  /** Of its job; null if it was none, or the job is not stored any more. */
  attempts: integer().nullable(),
  first_started_ms: float().nullable(),
  /** What it was charged; null if nothing. */
  entry_id: bigint().nullable(),
  entry_amount: bigint().nullable(),
  entry_ms: float().nullable(),
});
export type CallDetailRow = RowOf<typeof callDetailRow>;

/**
 * Finds a call that was charged to one of the accounts, or made with the key, with its job and its
 * ledger entry. The bounds on created_at skip the other months, which it would lock.
 */
export async function findCall(
  db: Executor,
  { accountIds, keyId }: { accountIds: readonly string[]; keyId: string | null },
  id: string,
): Promise<CallDetailRow | null> {
  const madeMs = readIdTime('call', id);
  if (madeMs === null) return null;
  const from = new Date(Math.max(0, madeMs - CLOCKS_APART_MS));
  const to = new Date(madeMs + LONGEST_CALL_MS);
  const [row] = await callDetailRow.read(
    db.execute(sql`
      select ${columns}, u.hold_microusd as hold, j.attempts,
        (extract(epoch from j.started_at) * 1000)::float8 as first_started_ms, e.id as entry_id,
        e.amount_microusd as entry_amount, (extract(epoch from e.created_at) * 1000)::float8 as entry_ms
      from usage_records u
      left join jobs j on j.call_id = u.id and j.key_id = u.key_id
      left join ledger_entries e on e.kind = 'call' and e.ref = u.id
      where u.id = ${id}
        and u.created_at >= ${from.toISOString()}::timestamptz and u.created_at < ${to.toISOString()}::timestamptz
        and (u.account_id = any(${sql.param([...accountIds])}::text[]) or u.key_id = ${keyId}::text)
      limit 1`),
  );
  return row ? withRequestId(row) : null;
}
